import { ChangeDetectionStrategy, Component, computed, inject, input } from '@angular/core';
import { Router } from '../core/router';
import { RowEvidence } from '../models/comparison';
import { ChartCard } from '../shared/chart-card';
import { Drawing } from './charts';
import { COURSE_LINES, coursePlot } from './course-plot';
import { Choice } from '../shared/choice';

interface Chart {
  key: string;
  title: string;
  drawing: Drawing | null;
}

const SAMPLES_GONE = $localize`Samples are stored only where the manager finds numpy, and old ones are removed.`;

/** Show all trials of a row over each other, with what hosts did meanwhile. */
@Component({
  selector: 'pc-course-panel',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [ChartCard, Choice],
  templateUrl: './course-panel.html',
})
export class CoursePanel {
  private readonly router = inject(Router);
  readonly evidence = input.required<RowEvidence>();
  readonly file = input('');

  protected readonly asked = computed(() => this.router.query().get('round') ?? 'all');
  protected readonly rounds = computed(() => {
    const { rounds } = this.evidence();
    const several = new Set(rounds.map(({ run }) => run)).size > 1;
    return rounds.map(({ run, round }) => {
      const text = $localize`Round ${round}`;
      return {
        key: several ? `${run}:${round}` : String(round),
        label: several ? `${text}, ${run}` : text,
      };
    });
  });
  protected readonly choices = computed(() => [
    { key: 'all', label: $localize`all rounds` },
    ...this.rounds(),
  ]);
  private readonly charts = computed((): Chart[] => {
    const { courses } = this.evidence();
    const asked = this.asked();
    const chosen = ({ run, round }: { run: string; round: number }) =>
      asked === String(round) || asked === `${run}:${round}`;
    return COURSE_LINES.map((line) => ({
      key: line.key,
      title: line.title,
      drawing: coursePlot(courses, line, chosen),
    }));
  });
  protected readonly drawn = computed(() =>
    this.charts().flatMap(({ drawing, ...chart }) => (drawing ? [{ ...chart, drawing }] : [])),
  );
  /** Why there is no picture of the load, or of the hosts. */
  protected readonly missing = computed(() => {
    const has = (key: string) => this.drawn().some((chart) => chart.key === key);
    const reasons: string[] = [];
    if (!has('ops')) {
      reasons.push(
        this.evidence().foreign
          ? $localize`Throughput over time is not recorded: what was imported has no samples.`
          : $localize`Throughput over time is not available. ${SAMPLES_GONE}:reason:`,
      );
    }
    const lack = this.charts().filter(({ key }) => key !== 'ops' && !has(key));
    if (lack.length && !this.evidence().foreign) {
      const names = lack.map(({ title }) => title).join(', ');
      reasons.push($localize`Not available: ${names}. ${this.whyNoHosts()}:reason:`);
    }
    return reasons;
  });
  /** Hosts of OSDs whose exporters were heard, the most of a trial. */
  private readonly osdHosts = computed(() =>
    Math.max(0, ...this.evidence().courses.map((course) => course.osd_hosts)),
  );
  protected readonly hostNote = computed(() => {
    const hosts = this.osdHosts();
    return hosts
      ? $localize`Each line is a trial of its group. CPU, disk and network are those of the hosts of its OSDs (${hosts}), on the same time axis.`
      : $localize`Each line is a trial of its group.`;
  });

  private whyNoHosts(): string {
    if (this.drawn().some(({ key }) => key === 'cpu')) {
      return $localize`The exporters of these hosts tell of no such device but loopback and virtual ones.`;
    }
    const heard = this.evidence().shown.some(({ trial }) =>
      // without samples it is only known what a host is
      Object.values(trial.evidence.hosts ?? {}).some(
        ({ role, samples }) => role === 'osd' && samples !== 0,
      ),
    );
    return heard
      ? SAMPLES_GONE
      : $localize`Exporters of the hosts of OSDs tell of them; see Checks.`;
  }

  protected choose(round: string): void {
    this.router.patchQuery({ round: round === 'all' ? null : round });
  }
}
