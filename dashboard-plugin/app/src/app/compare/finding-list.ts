import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { fixed, separator } from '../core/locale';
import { formatLatency, formatNumber, formatPercent } from '../core/units';
import { Finding, Limited, RowSide } from '../models/comparison';

/** Show what limited both groups, by what that shows, and where to look. */
@Component({
  selector: 'pc-finding-list',
  changeDetection: ChangeDetectionStrategy.OnPush,
  templateUrl: './finding-list.html',
})
export class FindingList {
  readonly baseline = input.required<RowSide>();
  readonly candidate = input.required<RowSide>();
  protected readonly sides = computed(() => [this.baseline(), this.candidate()]);
  protected readonly percent = formatPercent;
  protected readonly latency = formatLatency;
  protected readonly number = formatNumber;

  protected value(finding: Finding, value: number): string {
    if (finding.unit === '%') {
      return formatPercent(value);
    }
    return finding.unit === 's' ? formatLatency(value) : `${formatNumber(value)} ${finding.unit}`;
  }

  protected uneven(limited: Limited): string {
    const parts = [
      [limited.osds_max_mean, limited.osds_counted ?? [], $localize`OSDs`],
      [limited.hosts_max_mean, limited.hosts_counted ?? [], $localize`hosts`],
    ] as const;
    return parts
      .flatMap(([ratio, [seen, all], name]) =>
        ratio === null ? [] : [`${some(seen, all, name)} ×${fixed(ratio, 2)}`],
      )
      .join(separator());
  }
}

/** Say of how many a figure is, where it is not of all. */
function some(seen: number | undefined, all: number | undefined, name: string): string {
  return seen === undefined || all === undefined
    ? name
    : $localize`${seen}:seen: of ${all}:all: ${name}:name:`;
}
