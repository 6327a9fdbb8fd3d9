"""Which lines of plain text are code, so that they can be set in a fixed-width font."""

import re

_CODE = re.compile(
    r"""^(?:
        [ \t]{2,}\S                                   # indented
      | [{}\[\]<@\#].*                                # JSON, markup, decorators, comments
      | (?:def|class|import|from|return|async\ def|elif|try|except|with)\b.*[:()\w]$
      | (?:for|if|while|else)\b.*:$
      | (?:const|let|var|function|fn|pub|struct|\#include)\s.*
      | [\w.\[\]"']+\s*[-+*/|&%]?=[^=].*              # an assignment
      | [\w.]+\(.*\)[;:]?$                            # a call
    )""",
    re.VERBOSE,
)


def is_fence(line: str) -> bool:
    """Whether this line opens or closes a fenced block."""
    return line.lstrip().startswith("```")


def is_code_line(line: str) -> bool:
    """Whether a line outside fences reads as code."""
    return _CODE.match(line.rstrip()) is not None
