"""What an operator may say of a file that is imported."""

from typing import Optional

import dataclasses

from ..common.errors import InvalidArgument
from ..worker.wire.reading import TOOLS

AUTO = 'auto'
MAX_LABEL = 200
# kinds of what is imported
RUN = 'run'
RECOVERY = 'recovery'
# files in the folder of the reader's process
FILE = 'file'
REQUEST = 'request'
RESULT = 'result'
ROWS = 'rows'  # a database


@dataclasses.dataclass(frozen=True)
class ImportRequest:
    """Hold a file's content and whose result it is."""

    text: str
    tool: str = AUTO
    group: Optional[str] = None  # where the file does not say
    label: str = ''

    def check(self) -> None:
        """Raise InvalidArgument for a tool or label that cannot be."""
        if len(self.label) > MAX_LABEL:
            raise InvalidArgument(
                f'--label has {len(self.label)} characters; give at most '
                f'{MAX_LABEL}'
            )
        if self.tool not in (AUTO, *TOOLS):
            raise InvalidArgument(
                f'--tool {self.tool[:40]!r} is not one of '
                + ', '.join((AUTO, *TOOLS))
            )

    @property
    def exported(self) -> bool:
        """Say whether it is a run that this module exported.

        Its format stands at the beginning, or at the end where another
        program has written it again.
        """
        if self.tool != AUTO or not self.text.lstrip()[:1] == '{':
            return False
        mark = '"perfcompare-run"'
        return mark in self.text[:4096] or mark in self.text[-4096:]

    def refuse_words(self) -> None:
        """Raise InvalidArgument for what an export says itself."""
        for name, value in (('group', self.group), ('label', self.label)):
            if value:
                raise InvalidArgument(
                    f'--{name} is of no use: the export of a run has its own'
                )
