import { TestBed } from '@angular/core/testing';
import { answers, former, profiles, run } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { RunForm } from './run-form';

async function open(stage: Stage) {
  const fixture = TestBed.createComponent(RunForm);
  await settle(fixture);
  return { fixture, root: fixture.nativeElement as HTMLElement, stage };
}

describe('RunForm of a run that is repeated', () => {
  afterEach(() => vi.unstubAllGlobals());

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
});
