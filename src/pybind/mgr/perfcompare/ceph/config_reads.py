"""What MgrCluster reads of options: of mons, OSDs, the mgr and modules."""

from typing import Any, Dict, Optional, Sequence, Tuple

from . import monconfig
from . import osdmap as osdmap_data
from .commands import Commands


class MgrConfigReads:
    """Implement ``ConfigReads`` of ``ports``."""

    _mgr: Any
    _commands: Commands

    def mon_config(self, mon: str, option: str) -> str:
        """Return the value that mon.<mon> reported (up to 5 s old)."""
        return self._commands.mon(
            'config show', who=f'mon.{mon}', key=option
        ).strip()

    def mon_config_pinned(self, mon: str, option: str) -> bool:
        """Say whether mon.<mon> has its value from a place of its own."""
        shown = self._commands.mon_json('config show', who=f'mon.{mon}')
        return any(
            entry['source'] in ('file', 'env', 'cmdline', 'override')
            for entry in shown
            if entry['name'] == option
        )

    def mon_config_sections(
        self, mons: Sequence[str], option: str
    ) -> Dict[str, Tuple[str, str]]:
        """Return where mons have a value of their own, and it, by mon."""
        metadata = {m: self._mgr.get_metadata('mon', m) or {} for m in mons}
        return monconfig.sections(
            self._commands.mon_json('config dump'),
            {m: str(d.get('hostname', '')) for m, d in metadata.items()},
            option,
        )

    def osd_config(self, osd: int, options: Sequence[str]) -> Dict[str, str]:
        """Return the effective values in osd.<osd>, asked of itself."""
        return {
            option: str(
                self._commands.osd_json(osd, 'config get', var=option)[option]
            )
            for option in options
        }

    def config_get(self, who: str, option: str) -> Optional[str]:
        """Return a value of the central config set for exactly ``who``."""
        for entry in self._commands.mon_json('config dump'):
            if (entry['section'], entry['name']) == (who, option):
                if not entry.get('mask'):
                    return str(entry['value'])
        return None

    def option(self, name: str) -> str:
        """Return the value of a Ceph option as this mgr sees it."""
        return str(self._mgr.get_ceph_option(name))

    def module_option(self, name: str) -> str:
        """Return what 'mgr/<module>/<option>' is in this mgr, now."""
        _, module, key = name.split('/')
        value = self._mgr.get_module_option_ex(module, key)
        if value is None:  # of other modules only what is set is told
            return self.module_default(name)
        return str(value).lower() if isinstance(value, bool) else str(value)

    def module_default(self, name: str) -> str:
        """Return the default of 'mgr/<module>/<option>', '' if unknown."""
        _, module, key = name.split('/')
        return osdmap_data.module_default(
            self._mgr.get('mgr_map'), module, key
        )
