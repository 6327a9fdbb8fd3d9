"""What a bundle holds and what it leaves out: the one list that building and checking share."""

import re

# The modules of Qt that the window and its charts use, and what those link against.
QT_MODULES = frozenset(
    {
        "Core",
        "Gui",
        "Widgets",
        "Svg",
        "OpenGL",
        "OpenGLWidgets",
        "DBus",
        "XcbQpa",
        "WaylandClient",
    }
)
# The charts import the two of OpenGL whether they draw with it or not.
QT_BINDINGS = frozenset({"QtCore", "QtGui", "QtWidgets", "QtSvg", "QtOpenGL", "QtOpenGLWidgets"})
QT_PLUGINS = (
    r"platforms/(lib)?q(cocoa|offscreen|xcb|wayland\w*)\.",
    r"styles/",
    r"iconengines/(lib)?qsvgicon\.",
    r"imageformats/(lib)?q(svg|jpeg|gif|webp|ico|icns)\.",
    r"platforminputcontexts/(lib)?(compose|ibus)platforminputcontextplugin\.",
    r"platformthemes/(lib)?qxdgdesktopportal\.",
    r"wayland-(shell-integration/libxdg-shell|decoration-client/libbradient)\.",
)

# Libraries that a Linux desktop has and that have to fit its drivers, its fonts and its bus.
SYSTEM_LIBRARIES = re.compile(
    r"lib(stdc\+\+|gcc_s|fontconfig|freetype|expat|dbus-1|X11|X11-xcb|xcb|EGL|GL|GLX|drm|"
    r"wayland-(client|cursor))\.so"
)
# What belongs to the system's C library.
C_LIBRARY = re.compile(r"(lib(c|m|dl|rt|pthread|util|resolv)|ld-linux-[\w-]+)\.so")

# Modules that no part of the program imports, though something it uses could.
EXCLUDED_MODULES = (
    "IPython",
    "PIL",
    "PyQt5",
    "PyQt6",
    "PySide6.QtNetwork",
    "PySide6.QtTest",
    "_pytest",
    "accelerate",
    "datasets",
    "jax",
    "matplotlib",
    "mlx.extension",
    "pip",
    "pyqtgraph.canvas",
    "pyqtgraph.console",
    "pyqtgraph.examples",
    "pyqtgraph.flowchart",
    "pyqtgraph.jupyter",
    "pyqtgraph.opengl",
    "pytest",
    # Under a licence that asks for the whole program's source, and of use in a terminal only.
    "readline",
    "scipy",
    "setuptools",
    "tensorflow",
    "tkinter",
    "torch",
)

# What makes a bundle and is not in it.
BUILD_TOOLS = frozenset({"altgraph", "macholib", "pyinstaller", "pyinstaller-hooks-contrib"})

# Models of transformers run on torch, which is not here; what reads tokenizers stays, and the
# tables in auto/, which even configurations import.
_WITHOUT_TORCH = r"(modeling|modular|convert|image_processing|video_processing|feature_extraction)_"
_LEFT_OUT = (
    rf"transformers/models/(?!auto/)[^/]+/{_WITHOUT_TORCH}",
    r"(.*/)?(tests?|testing)/.*(?<!\.so)$",
    r"(.*/)?(test_[^/]*|conftest)\.pyc?$",
    r"mlx/(include|share)/",
    r"mlx/(extension|__main__)\.pyc?$",
    r".*\.dist-info/direct_url\.json$",
    r"mlx/lib/.*\.a$",
    r"(.*/)?(include|cmake|pkgconfig)/",
    r".*\.(pyi|pxd|h|hpp|cmake|prl|qmltypes|qmldir)$",
    r"PySide6/(Qt/)?(qml|translations|typesystems|glue|metatypes|libexec|scripts|doc|support)/",
    r"PySide6/(Assistant|Designer|Linguist)\.app/",
    r"PySide6/(lib)?(pyside6qml|qml|lupdate|lrelease|svgtoqml)",
    r"pyqtgraph/(examples|opengl|flowchart|canvas|console|jupyter)/",
)
# Folders named like tests that are no tests: numpy imports numpy.testing lazily by this name.
_KEPT = (r"numpy/testing/", r"transformers/testing_utils\.py$")

_left_out = re.compile("|".join(f"(?:{pattern})" for pattern in _LEFT_OUT))
_kept = re.compile("|".join(f"(?:{pattern})" for pattern in _KEPT))
_plugin = re.compile(r"PySide6/(?:Qt/)?plugins/(.+)")
_plugin_wanted = re.compile("|".join(QT_PLUGINS))
_library = re.compile(r"(?:.*/)?(?:libQt6(\w+?)(?:\.so|\.dylib|\.6)|Qt(\w+)\.framework/)")
_binding = re.compile(r"PySide6/(Qt\w+)\.abi3\.so$")


def is_unused_qt(path: str) -> bool:
    """Whether `path` (from the folder of modules) is a part of Qt that nothing here uses."""
    if found := _plugin.fullmatch(path):
        return not _plugin_wanted.match(found[1])
    if found := _binding.fullmatch(path):
        return found[1] not in QT_BINDINGS
    if found := _library.match(path):
        return (found[1] or found[2]) not in QT_MODULES
    return False


def is_excluded(module: str) -> bool:
    """Whether a module is one of those left out by name, or inside one, or a tool of the build."""
    names = (*EXCLUDED_MODULES, "PyInstaller")
    return any(f"{module}.".startswith(f"{name}.") for name in names)


def is_left_out(path: str) -> bool:
    """Whether a bundle has no need of the file at `path`, from the folder of modules."""
    if is_unused_qt(path):
        return True
    return bool(_left_out.match(path)) and not _kept.match(path)
