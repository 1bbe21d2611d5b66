import { TestBed } from '@angular/core/testing';
import {
  answers,
  draft,
  former,
  groups,
  idle,
  options,
  profiles,
  run,
  runs,
} from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { toRequest } from '../plan-form/settings';
import { RunForm } from './run-form';
import { formOf, runSettings } from './run-settings';

async function open(stage: Stage) {
  const fixture = TestBed.createComponent(RunForm);
  await settle(fixture);
  return { fixture, root: fixture.nativeElement as HTMLElement, stage };
}

describe('RunForm', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('cannot start before plan and checks were shown', async () => {
    const { root, stage, fixture } = await open(new Stage(answers(), '/new'));
    expect(button(root, 'Start the run').disabled).toBe(true);
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(text(root)).toContain('57.0 GiB');
    expect(text(root)).toContain('other clients do 312 op/s');
    expect(stage.requests('POST', '/run')).toHaveLength(0);
  });

  it('starts with consent only, and what was shown', async () => {
    const { root, stage, fixture } = await open(new Stage(answers(), '/new'));
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(button(root, 'Start the run').disabled).toBe(true);
    root.querySelector<HTMLInputElement>('.consent input')?.click();
    await settle(fixture);
    button(root, 'Start the run').click();
    await settle(fixture);
    expect(stage.requests('POST', '/run')[0].body).toEqual({
      groups: ['x86', 'arm'],
      profile: 'quick',
      consent: true,
      seed: draft().plan.seed,
      digest: draft().digest,
    });
    expect(stage.path).toBe('/runs/5e6f7a8b');
  });

  it('says that the plan has changed since it was shown', async () => {
    const detail = 'the plan has changed since you saw it: look at it again';
    const { root, fixture } = await open(
      new Stage(answers({ 'POST /run': [409, { detail }] }), '/new'),
    );
    button(root, 'Check and show plan').click();
    await settle(fixture);
    root.querySelector<HTMLInputElement>('.consent input')?.click();
    await settle(fixture);
    button(root, 'Start the run').click();
    await settle(fixture);
    expect(text(root.querySelector('.start [role=alert]'))).toBe(detail);
  });

  it('shows the defaults of the profile, and tells of the plan', async () => {
    const { root, fixture } = await open(new Stage(answers(), '/new'));
    const quick = profiles().find(({ name }) => name === 'quick');
    const rounds = root.querySelector<HTMLInputElement>('#rounds');
    expect(rounds?.placeholder).toBe(String(quick?.rounds));
    const said = () => text(root.querySelector('.form-result [role=status]'));
    expect(said()).toBe('');
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(said()).toContain('The plan is shown.');
  });

  it('learns of profiles and groups that are made meanwhile, and keeps what is chosen', async () => {
    const { root, stage, fixture } = await open(new Stage(answers(), '/new'));
    const select = root.querySelector('#profile') as HTMLSelectElement;
    const offered = () => [...select.options].map((one) => one.value);
    select.value = 'smoke';
    select.dispatchEvent(new Event('change'));
    await settle(fixture);
    const mine = { ...profiles()[0], name: 'mine', builtin: false };
    const [group] = groups();
    const fast = { ...group, spec: { ...group.spec, name: 'fast' } };
    stage.answers['GET /profile'] = [200, [mine, ...profiles()]];
    stage.answers['GET /group'] = [200, [fast, ...groups()]];
    select.dispatchEvent(new Event('focus'));
    await settle(fixture);
    expect(offered()).toContain('mine');
    expect(select.value).toBe('smoke');
    const boxes = [...root.querySelectorAll<HTMLLabelElement>('.choices .check')];
    expect(
      boxes.map((box) => [text(box).split(' ')[0], box.querySelector('input')?.checked]),
    ).toEqual(
      expect.arrayContaining([
        ['fast', false],
        ['x86', true],
        ['arm', true],
      ]),
    );
    // from another tab of the browser, or another page of the dashboard
    stage.resting.set(true);
    await settle(fixture);
    stage.answers['GET /profile'] = [200, [{ ...mine, name: 'other' }, ...profiles()]];
    stage.resting.set(false);
    await settle(fixture);
    expect(offered()).toContain('other');
    expect(select.value).toBe('smoke');
    stage.answers['GET /profile'] = [503, { detail: 'no' }];
    select.dispatchEvent(new Event('focus'));
    await settle(fixture);
    expect(offered()).toContain('other');
    // what is gone could not be unchosen
    stage.answers['GET /profile'] = [200, profiles()];
    stage.answers['GET /group'] = [200, groups().filter(({ spec }) => spec.name !== 'arm')];
    select.dispatchEvent(new Event('focus'));
    await settle(fixture);
    expect(text(root)).toContain('arm was left out: there is no such group any more');
  });

  it('says the version of own profiles', async () => {
    const known = [...profiles(), { ...profiles()[0], name: 'mine', builtin: false }];
    const { root } = await open(new Stage(answers({ 'GET /profile': [200, known] }), '/new'));
    const options = [...root.querySelectorAll('#profile option')].map(text);
    expect(options).toContain(`mine · ${known[0].version}`);
    expect(options).toContain('quick');
  });

  it.each([
    ['changed', 'The profile mine has changed since run 0a1b2c3d.'],
    ['gone', 'The profile mine was removed since run 0a1b2c3d.'],
  ] as const)('takes a profile that is %s as the repeated run had it', async (since, said) => {
    const old = run();
    old.run.plan.profile.name = 'mine';
    const now = { ...profiles()[0], name: 'mine', builtin: false };
    const { root, fixture, stage } = await open(
      new Stage(
        answers({
          'GET /profile': [200, since === 'gone' ? profiles() : [...profiles(), now]],
          'GET /run/0a1b2c3d': [200, old],
          [former(old)]: [200, { ...old.run.plan.profile, run: old.run.id, since }],
        }),
        '/new?repeat=0a1b2c3d',
      ),
    );
    expect(text(root)).toContain(said);
    expect(text(root)).toContain('as that run had it');
    const select = root.querySelector('#profile') as HTMLSelectElement;
    expect(select.value).toBe('mine@0a1b2c3d');
    const planned = async () => {
      button(root, 'Check and show plan').click();
      await settle(fixture);
      return stage.requests('POST', '/plan').at(-1)?.body;
    };
    expect(await planned()).toMatchObject({ profile: 'mine@0a1b2c3d' });
    select.value = 'quick';
    select.dispatchEvent(new Event('change'));
    await settle(fixture);
    expect(await planned()).toMatchObject({ profile: 'quick' });
    expect(text(root)).not.toContain('as that run had it');
  });

  it('begins again where the address asks for another run, or for none', async () => {
    const old = run();
    old.run.plan.options = { ...old.run.plan.options, label: 'before the upgrade' };
    const other = { ...run(), run: { ...run().run, id: '00000002' } };
    const { root, fixture, stage } = await open(
      new Stage(
        answers({
          'GET /run/0a1b2c3d': [200, old],
          'GET /run/00000002': [200, other],
          [former(other)]: [200, { ...other.run.plan.profile, run: other.run.id, since: 'same' }],
        }),
        '/new?repeat=0a1b2c3d&rounds=23',
      ),
    );
    const rounds = () => root.querySelector<HTMLInputElement>('#rounds')?.value;
    const label = () => root.querySelector<HTMLInputElement>('#label')?.value;
    expect([rounds(), label()]).toEqual(['23', 'before the upgrade']);
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(text(root)).toContain('57.0 GiB');
    stage.path = '/new?repeat=00000002';
    await settle(fixture);
    expect(text(root)).toContain('run 00000002');
    expect(label()).not.toBe('before the upgrade');
    stage.path = '/new';
    await settle(fixture);
    expect(rounds()).toBe('');
    expect(text(root)).not.toContain('With the settings of');
    expect(text(root)).not.toContain('57.0 GiB');
    const [select] = root.querySelectorAll<HTMLSelectElement>('#profile');
    expect(select.value).toBe('quick');
  });

  it('says why a repeated run has no profile that can be run', async () => {
    const old = run();
    old.run.plan.profile.name = 'cbt';
    const { root } = await open(
      new Stage(
        answers({
          'GET /run/0a1b2c3d': [200, old],
          [former(old)]: [400, { detail: 'run 0a1b2c3d was measured by another tool' }],
        }),
        '/new?repeat=0a1b2c3d',
      ),
    );
    expect(text(root)).toContain('run 0a1b2c3d was measured by another tool');
    expect(button(root, 'Check and show plan').disabled).toBe(true);
  });

  it('takes the baseline of the last run, and lets it be changed', async () => {
    const list = runs();
    list.runs = [{ ...list.runs[0], groups: ['arm', 'x86'] }];
    const { root, stage, fixture } = await open(
      new Stage(answers({ 'GET /run': [200, list] }), '/new'),
    );
    const planned = async () => {
      button(root, 'Check and show plan').click();
      await settle(fixture);
      return (stage.requests('POST', '/plan').at(-1)?.body as { groups: string[] }).groups;
    };
    expect(await planned()).toEqual(['arm', 'x86']);
    button(root, 'make it the baseline').click();
    await settle(fixture);
    expect(await planned()).toEqual(['x86', 'arm']);
  });

  it('takes the baseline of the last run of these groups, however many imports came since', async () => {
    const list = runs();
    const [own] = list.runs;
    const foreign = { ...own, origin: 'import:', fsid: '', groups: ['x86', 'arm'] };
    list.runs = [...Array(12).fill(foreign), { ...own, groups: ['arm', 'x86'] }];
    const { root } = await open(new Stage(answers({ 'GET /run': [200, list] }), '/new'));
    expect(text(root.querySelector('.choices .check:has(.tag)'))).toContain('arm');
  });

  it('draws no baseline by alphabet where no run has had one', async () => {
    const none = { ...runs(), runs: [], total: 0 };
    const { root, stage, fixture } = await open(
      new Stage(answers({ 'GET /run': [200, none] }), '/new'),
    );
    expect(root.querySelector('.choices .tag')).toBeNull();
    expect(button(root, 'Check and show plan').disabled).toBe(true);
    const boxes = root.querySelectorAll<HTMLInputElement>('.choices input');
    boxes[1].click();
    boxes[0].click();
    await settle(fixture);
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect((stage.requests('POST', '/plan')[0].body as { groups: string[] }).groups).toEqual([
      'arm',
      'x86',
    ]);
  });

  it('offers all operations, those too that the profile lacks', async () => {
    const { root, stage, fixture } = await open(new Stage(answers(), '/new'));
    const box = [...root.querySelectorAll<HTMLElement>('.advanced .check')].find(
      (label) => text(label) === 'S3 stat',
    );
    expect(root.querySelector('#list_keys')).toBeNull();
    box?.querySelector('input')?.click();
    await settle(fixture);
    expect(root.querySelector<HTMLInputElement>('#list_keys')?.placeholder).toBe('1000');
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(stage.requests('POST', '/plan')[0].body).toMatchObject({ workloads: ['s3-stat'] });
  });

  it('has settings of one kind of load under its name', async () => {
    const { root, fixture } = await open(new Stage(answers(), '/new'));
    const heads = () => [...root.querySelectorAll('.advanced h3')].map(text);
    expect(heads()).not.toContain('S3');
    const box = [...root.querySelectorAll<HTMLElement>('.advanced .check')].find(
      (label) => text(label) === 'S3 stat',
    );
    box?.querySelector('input')?.click();
    await settle(fixture);
    expect(heads()).toContain('S3');
    expect(text(root.querySelector('label[for=prefill]'))).toBe(
      'Objects read, or their bytes, as 10G',
    );
    expect(text(root.querySelector('.advanced'))).not.toContain('S3:');
  });

  it('marks what is not a number at its field, as it was typed', async () => {
    const { root, stage, fixture } = await open(new Stage(answers(), '/new'));
    const rounds = root.querySelector('#rounds') as HTMLInputElement;
    const type = async (typed: string) => {
      rounds.value = typed;
      rounds.dispatchEvent(new Event('input'));
      await settle(fixture);
    };
    const fault = () => text(root.querySelector('#rounds-fault') as HTMLElement);
    for (const [typed, said] of [
      ['banana', '“banana” is not a number.'],
      ['−3', '“−3” is less than 1.'],
      ['-3', '“-3” is less than 1.'],
      ['2.5', '“2.5” is not a whole number.'],
      ['1000000', '“1000000” is more than'],
    ]) {
      await type(typed);
      expect(fault()).toContain(said);
      expect(rounds.value).toBe(typed);
      expect(rounds.getAttribute('aria-invalid')).toBe('true');
      expect(button(root, 'Check and show plan').disabled).toBe(true);
    }
    await type('3');
    expect(fault()).toBe('');
    expect(rounds.hasAttribute('aria-invalid')).toBe(false);
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(stage.requests('POST', '/plan')[0].body).toMatchObject({ rounds: 3 });
  });

  it('asks for the plan again after a change', async () => {
    const easy = draft();
    easy.preflight = { checks: [], refused: false, needs_consent: false };
    const { root, fixture } = await open(new Stage(answers({ 'POST /plan': [200, easy] })));
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(button(root, 'Start the run').disabled).toBe(false);
    const label = root.querySelector<HTMLInputElement>('#label');
    if (label) {
      label.value = 'other';
      label.dispatchEvent(new Event('input'));
    }
    await settle(fixture);
    expect(button(root, 'Start the run').disabled).toBe(true);
    expect(text(root)).toContain('The settings have changed');
  });

  it('stays shut when a check refuses', async () => {
    const refused = draft();
    refused.preflight.refused = true;
    const { root, fixture } = await open(new Stage(answers({ 'POST /plan': [200, refused] })));
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(root.querySelector('.consent')).toBeNull();
    expect(button(root, 'Start the run').disabled).toBe(true);
  });

  it('takes the settings of a former run', async () => {
    const { root } = await open(new Stage(answers(), '/new?repeat=0a1b2c3d'));
    expect(text(root)).toContain('With the settings of run 0a1b2c3d');
    expect(root.querySelectorAll('.choices input:checked')).toHaveLength(2);
  });

  it('repeats a control on its one group', async () => {
    const old = run();
    const [arm] = old.run.plan.groups;
    old.run.plan.groups = [arm, { ...arm, name: `${arm.name}_control` }];
    old.run.plan.options.control = true;
    const { root, stage, fixture } = await open(
      new Stage(answers({ 'GET /run/0a1b2c3d': [200, old] }), '/new?repeat=0a1b2c3d'),
    );
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(stage.requests('POST', '/plan')[0].body).toMatchObject({
      groups: [arm.name],
      control: true,
    });
    expect(text(root)).not.toContain('left out');
  });

  it('leaves out groups that are not there any more, and says so', async () => {
    const known = groups();
    const [x86, arm] = known;
    const broken = { ...arm, group: null, problem: 'group arm has no OSDs' };
    const { root, stage, fixture } = await open(
      new Stage(answers({ 'GET /group': [200, [x86, broken]] }), '/new?repeat=0a1b2c3d'),
    );
    expect(text(root)).toContain('arm was left out: group arm has no OSDs');
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(stage.requests('POST', '/plan')[0].body).toMatchObject({ groups: ['x86'] });
    TestBed.resetTestingModule();
    const all = await open(
      new Stage(answers({ 'GET /group': [200, [x86]] }), '/new?group=gone&group=x86'),
    );
    expect(text(all.root)).toContain('gone was left out: there is no such group any more');
    expect(all.root.querySelectorAll('.choices input:checked')).toHaveLength(1);
  });

  it('lets who may only read look at plans, and says what a start takes', async () => {
    const reader = { ...idle(), permissions: ['read'] };
    const { root, stage, fixture } = await open(
      new Stage(answers({ 'GET /status': [200, reader] }), '/new'),
    );
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(stage.requests('POST', '/plan')).toHaveLength(1);
    expect(text(root)).toContain('57.0 GiB');
    expect(root.querySelector('.consent')).toBeNull();
    expect(button(root, 'Start the run').disabled).toBe(true);
    expect(text(root)).toContain('takes the permission “create”');
    expect(text(root)).not.toContain('It can be started');
  });
});

describe('toRequest', () => {
  it('sends only what was filled in', () => {
    const form = { groups: ['a'], sizes: '4K, 4M', rounds: '6', pg_num: ' ', control: false };
    expect(toRequest(form, runSettings(options(), undefined, form), false)).toEqual({
      groups: ['a'],
      sizes: ['4K', '4M'],
      rounds: 6,
    });
  });

  it('drops nothing that is filled in, and shows it', () => {
    const form = { groups: ['a'], gateways: '2', prefill: '10G', s3_tls: true };
    const [s3] = profiles().filter((item) => item.workloads.some(({ op }) => op === 's3-get'));
    for (const profile of [s3, undefined]) {
      const settings = runSettings(options(), profile, form);
      expect(toRequest(form, settings, true)).toEqual({ ...form, gateways: 2, consent: true });
    }
    const plain = runSettings(options(), undefined, { groups: ['a'] });
    expect(plain.some(({ key }) => key === 'gateways')).toBe(false);
  });

  it('repeats each option of a run', () => {
    const former = run().run;
    const given: Record<string, unknown> = { workloads: ['s3-get'], rate: 50, part_streams: 2 };
    former.plan.options = { ...former.plan.options, ...given } as typeof former.plan.options;
    const form = formOf(former, options());
    const request = toRequest(form, runSettings(options(), undefined, form), false);
    expect(request).toMatchObject(given);
  });
});
