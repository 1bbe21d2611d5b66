import { TestBed } from '@angular/core/testing';
import { answers, draft, groups, idle, profiles, runs } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { RunForm } from './run-form';

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

  it('says that the plan has changed since it was shown, and shows the new one', async () => {
    const detail = 'the plan has changed since you saw it: look at it again';
    const { root, stage, fixture } = await open(
      new Stage(answers({ 'POST /run': [409, { detail }] }), '/new'),
    );
    button(root, 'Check and show plan').click();
    await settle(fixture);
    root.querySelector<HTMLInputElement>('.consent input')?.click();
    await settle(fixture);
    const busier = draft();
    busier.digest = '0f1e2d3c4b5a6978-LOAD';
    busier.preflight.checks[2].message = 'other clients do 700 op/s';
    stage.answers['POST /plan'] = [200, busier];
    button(root, 'Start the run').click();
    await settle(fixture);
    expect(text(root.querySelector('.start [role=alert]'))).toBe(detail);
    expect(stage.requests('POST', '/plan')).toHaveLength(2);
    expect(text(root.querySelector('pc-preflight'))).toContain('700 op/s');
    // consent was given to what was shown before
    expect(root.querySelector<HTMLInputElement>('.consent input')?.checked).toBe(false);
    expect(button(root, 'Start the run').disabled).toBe(true);
    root.querySelector<HTMLInputElement>('.consent input')?.click();
    await settle(fixture);
    button(root, 'Start the run').click();
    await settle(fixture);
    expect(stage.requests('POST', '/run').at(-1)?.body).toMatchObject({ digest: busier.digest });
  });

  it('leaves the plan as it is where a start fails otherwise', async () => {
    const { root, stage, fixture } = await open(
      new Stage(answers({ 'POST /run': [503, { detail: 'later' }] }), '/new'),
    );
    button(root, 'Check and show plan').click();
    await settle(fixture);
    root.querySelector<HTMLInputElement>('.consent input')?.click();
    await settle(fixture);
    button(root, 'Start the run').click();
    await settle(fixture);
    expect(stage.requests('POST', '/plan')).toHaveLength(1);
    expect(button(root, 'Start the run').disabled).toBe(false);
  });

  it('shows the warnings that came only at the start, and leads to the run', async () => {
    const warnings = ['LOAD: other clients do 312 op/s', 'SCRUB: the groups differ'];
    const { root, stage, fixture } = await open(
      new Stage(answers({ 'POST /run': [201, { run: '5e6f7a8b', warnings }] }), '/new'),
    );
    button(root, 'Check and show plan').click();
    await settle(fixture);
    root.querySelector<HTMLInputElement>('.consent input')?.click();
    await settle(fixture);
    button(root, 'Start the run').click();
    await settle(fixture);
    expect(stage.path).toBe('/new');
    expect([...root.querySelectorAll('.start li')].map(text)).toEqual([warnings[1]]);
    root.querySelector<HTMLAnchorElement>('.start a')?.click();
    expect(stage.path).toBe('/runs/5e6f7a8b');
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
