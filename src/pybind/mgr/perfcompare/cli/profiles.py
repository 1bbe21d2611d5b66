"""The commands about profiles, which the module inherits."""

from typing import Optional

from ..app.service import Service
from ..report import profiles as report
from .registry import Answer, read_command, write_command


class ProfileCommands:
    """Register `ceph perfcompare profile …`."""

    service: Service

    @read_command('profile ls')
    def profile_ls(self, format: Optional[str] = None) -> Answer:
        """List the profiles, built-in ones and your own"""
        found = self.service.profiles.list()
        return Answer(found, lambda: report.profiles(found))

    @read_command('profile show')
    def profile_show(
        self, profile: str, format: Optional[str] = None
    ) -> Answer:
        """Show a profile with its workloads, or as it was: NAME@RUN"""
        found = self.service.former_profiles.show(profile)
        return Answer(found, lambda: report.profile(found))

    @write_command('profile set')
    def profile_set(
        self,
        profile: str,
        _end_positional_: int = 0,
        inbuf: Optional[str] = None,
        format: Optional[str] = None,
    ) -> Answer:
        """Define a profile of your own by the YAML file given with -i"""
        found = self.service.profiles.set(profile, inbuf)
        return Answer(found, lambda: report.profile_set(found))

    @read_command('profile export')
    def profile_export(self, profile: str) -> Answer:
        """Print the YAML of a profile, or as it was: NAME@RUN"""
        text = self.service.former_profiles.export(profile)
        return Answer(text, lambda: text, written=True)

    @write_command('profile rm')
    def profile_rm(
        self, profile: str, format: Optional[str] = None
    ) -> Answer:
        """Remove a profile of your own; runs keep what they ran"""
        self.service.profiles.remove(profile)
        return Answer(
            {'removed': profile}, lambda: f'profile {profile!r} removed'
        )
