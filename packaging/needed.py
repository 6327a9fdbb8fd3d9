"""What must be inside a bundle: files by shell pattern, metadata by package, modules by name."""

# A star matches slashes too; the ends of library names differ from system to system.
NEEDED = (
    "mlx/core.cpython-*.so",
    "tokenizers/tokenizers*.so",
    "safetensors/_safetensors_rust*.so",
    "hf_xet/hf_xet*.so",
    "numpy/_core/_multiarray_umath*.so",
    "regex/_regex*.so",
    "yaml/_yaml*.so",
    "psutil/*.so",
    "PySide6/QtCore.abi3.so",
    "PySide6/QtGui.abi3.so",
    "PySide6/QtWidgets.abi3.so",
    "PySide6/QtSvg.abi3.so",
    "PySide6/QtOpenGL.abi3.so",
    "PySide6/QtOpenGLWidgets.abi3.so",
    "shiboken6/Shiboken.abi3.so",
    "*_sqlite3.cpython-*.so",
    "*_ssl.cpython-*.so",
    "PySide6/Qt/plugins/platforms/libqoffscreen.*",
    "PySide6/Qt/plugins/imageformats/libqjpeg.*",
    "PySide6/Qt/plugins/iconengines/libqsvgicon.*",
    # Kinds of keyring are found by it.
    "keyring-*.dist-info/entry_points.txt",
    "transformers/__init__.py",
    "transformers/convert_slow_tokenizer.py",
    "base_library.zip",
)
NEEDED_ON_MAC = (
    "mlx/lib/libmlx.dylib",
    "mlx/lib/libjaccl.dylib",
    "mlx/lib/mlx.metallib",
    "*libshiboken6.abi3*.dylib",
    "*libpyside6.abi3*.dylib",
    "PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore",
    "PySide6/Qt/lib/QtGui.framework/Versions/A/QtGui",
    "PySide6/Qt/lib/QtWidgets.framework/Versions/A/QtWidgets",
    "PySide6/Qt/lib/QtSvg.framework/Versions/A/QtSvg",
    "PySide6/Qt/lib/QtOpenGL.framework/Versions/A/QtOpenGL",
    "PySide6/Qt/lib/QtDBus.framework/Versions/A/QtDBus",
    "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
    "PySide6/Qt/plugins/styles/libqmacstyle.dylib",
)
NEEDED_ON_LINUX = (
    "libpython3*.so*",
    "mlx/lib/libmlx.so",
    "mlx_cpu.libs/libblas-*",
    "mlx_cpu.libs/liblapack-*",
    "mlx_cpu.libs/libgfortran-*",
    "libxcb-cursor.so.0",
    "libxkbcommon-x11.so.0",
    "*libshiboken6.abi3.so*",
    "*libpyside6.abi3.so*",
    "PySide6/Qt/lib/libQt6Core.so.6",
    "PySide6/Qt/lib/libQt6Gui.so.6",
    "PySide6/Qt/lib/libQt6Widgets.so.6",
    "PySide6/Qt/lib/libQt6Svg.so.6",
    "PySide6/Qt/lib/libQt6OpenGL.so.6",
    "PySide6/Qt/lib/libQt6DBus.so.6",
    "PySide6/Qt/lib/libQt6XcbQpa.so.6",
    "PySide6/Qt/lib/libQt6WaylandClient.so.6",
    "PySide6/Qt/lib/libicudata.so.73",
    "PySide6/Qt/plugins/platforms/libqxcb.so",
    "PySide6/Qt/plugins/platforms/libqwayland.so",
    "PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so",
)

# Asked for by importlib.metadata when transformers or the program starts.
NEEDED_METADATA = (
    "draftscope",
    "filelock",
    "huggingface_hub",
    "keyring",
    "mlx",
    "mlx_lm",
    "numpy",
    "packaging",
    "pyyaml",
    "regex",
    "safetensors",
    "tokenizers",
    "tqdm",
    "transformers",
)

# Imported by name when a model is loaded: files of the installed
# packages, and the endings one of which each must have in the bundle.
BY_NAME = (
    ("mlx/*.py", (".pyc", ".py")),
    ("mlx_lm/generate.py", (".pyc", ".py")),
    ("mlx_lm/tokenizer_utils.py", (".pyc", ".py")),
    ("mlx_lm/utils.py", (".pyc", ".py")),
    ("mlx_lm/models/*.py", (".pyc", ".py")),
    ("mlx_lm/chat_templates/*.py", (".pyc", ".py")),
    ("mlx_lm/tool_parsers/*.py", (".pyc", ".py")),
    ("transformers/models/auto/*.py", (".py",)),
    ("transformers/models/*/tokenization_*.py", (".py",)),
    ("transformers/models/*/configuration_*.py", (".py",)),
)
# Modules that must be packed into the program itself.
PACKED = (
    "app/**/*.py",
    "engine/**/*.py",
    "keyring/backends/**/*.py",
    "pygments/lexers/*.py",
    "pygments/styles/*.py",
    "huggingface_hub/__init__.py",
    "jinja2/__init__.py",
    "markdown_it/__init__.py",
    "numpy/__init__.py",
    "platformdirs/__init__.py",
    "psutil/__init__.py",
    "pypdf/__init__.py",
    "pyqtgraph/__init__.py",
    "qasync/__init__.py",
    "resources/__init__.py",
    "transformers/__init__.py",
)

# In megabytes: what a person downloads is about a third of it.
BUDGET_MB_MAC = 450
BUDGET_MB_LINUX = 400
