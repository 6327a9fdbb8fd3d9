"""What macOS is told of Draftscope: its Info.plist, from the version and nothing else."""

IDENTIFIER = "org.draftscope.Draftscope"
TRACE_TYPE = f"{IDENTIFIER}.trace"
# Exported chats are ordinary JSON; another app may well be better at showing one.
CHAT_TYPE = "public.json"
OLDEST_MACOS = "14.0"


def info_plist(version: str) -> dict[str, object]:
    """The properties of the bundle. The look follows the system: no style is forced."""
    return {
        "CFBundleDisplayName": "Draftscope",
        "CFBundleName": "Draftscope",
        "CFBundleIdentifier": IDENTIFIER,
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "CFBundleDocumentTypes": [
            _document("Draftscope trace", TRACE_TYPE, "Viewer", "Alternate"),
            _document("Draftscope chats", CHAT_TYPE, "Viewer", "Alternate"),
        ],
        "UTExportedTypeDeclarations": [
            _type("Draftscope trace", TRACE_TYPE, "public.plain-text", "jsonl"),
        ],
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "LSArchitecturePriority": ["arm64"],
        "LSMinimumSystemVersion": OLDEST_MACOS,
        "LSRequiresNativeExecution": True,
        "NSHighResolutionCapable": True,
        "NSSupportsAutomaticGraphicsSwitching": True,
        "NSHumanReadableCopyright": "The Draftscope authors. Apache License 2.0.",
    }


def _document(name: str, kind: str, role: str, rank: str) -> dict[str, object]:
    return {
        "CFBundleTypeName": name,
        "CFBundleTypeRole": role,
        "LSHandlerRank": rank,
        "LSItemContentTypes": [kind],
    }


def _type(name: str, kind: str, parent: str, ending: str) -> dict[str, object]:
    return {
        "UTTypeIdentifier": kind,
        "UTTypeDescription": name,
        "UTTypeConformsTo": [parent],
        "UTTypeTagSpecification": {"public.filename-extension": [ending]},
    }
