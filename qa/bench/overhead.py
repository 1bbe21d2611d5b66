"""Seconds of a run that are not load, per trial (aim: under 10)."""

import argparse

import rig

from cluster.api import MiniCluster


def main() -> None:
    """Execute one run and print where its time went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mixed', action='store_true', help='with arm64')
    parser.add_argument('--rounds', default='6')
    options = parser.parse_args()
    cluster = rig.native_cluster()
    if options.mixed:
        cluster = MiniCluster(cluster.dir)
    groups = ('x86', 'arm') if options.mixed else ('x86', 'alt')
    with cluster:
        rig.enable(cluster)
        found = rig.execute(
            cluster, *groups, '--profile', 'smoke', '--rounds', options.rounds
        )
    run, trials = found['run'], found['trials']
    whole = run['ended'] - run['started']
    load = sum(t['ended'] - t['started'] for t in trials)
    gaps = [
        b['started'] - a['ended']
        for a, b in zip(trials, trials[1:])
        if a['round'] == b['round']
    ]
    print(f'run of {len(trials)} trials: {whole:.0f} s, {rig.load()}')
    print(f'load: {load:.0f} s; everything else: {whole - load:.0f} s')
    print(f'not load, per trial: {(whole - load) / len(trials):.1f} s')
    print(f'between trials of a round: {rig.spread(gaps, "s")}')


if __name__ == '__main__':
    main()
