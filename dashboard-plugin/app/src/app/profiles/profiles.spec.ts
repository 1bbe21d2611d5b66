import { TestBed } from '@angular/core/testing';
import { answers, idle, profiles } from '../../testing/fixtures';
import { Answers, Stage, button, settle, text } from '../../testing/stage';
import { ProfilesPage } from './profiles-page';

const YAML = 'rounds: 3\nworkloads: []\n';

async function open(id: string, path: string, changes: Answers = {}) {
  const own = { ...profiles()[0], name: 'backup', builtin: false };
  const stage = new Stage(
    answers({
      'GET /profile': [200, [...profiles(), own]],
      'GET /profile/quick/export': [200, { profile: 'quick', text: YAML }],
      'GET /profile/backup/export': [200, { profile: 'backup', text: YAML }],
      ...changes,
    }),
    path,
  );
  const fixture = TestBed.createComponent(ProfilesPage);
  fixture.componentRef.setInput('id', id);
  await settle(fixture);
  return { stage, fixture, root: fixture.nativeElement as HTMLElement };
}

describe('ProfilesPage', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('deletes what is not built in', async () => {
    const { stage, fixture, root } = await open('', '/profiles', {
      'DELETE /profile/backup': [204, null],
    });
    expect(text(root)).toContain('quick');
    expect(root.querySelectorAll('tbody button')).toHaveLength(1);
    button(root, 'Delete…').click();
    await settle(fixture);
    button(root.querySelector('dialog') as HTMLElement, 'Delete').click();
    await settle(fixture);
    expect(stage.requests('DELETE', '/profile/backup')).toHaveLength(1);
  });

  it('defines one like another, and keeps what was refused', async () => {
    const { stage, fixture, root } = await open('_new', '/profiles/_new?from=quick', {
      'POST /profile': [400, { detail: 'profile mine: workloads is not a list' }],
    });
    const yaml = root.querySelector('textarea') as HTMLTextAreaElement;
    expect(yaml.value).toBe(YAML);
    const name = root.querySelector('#profile-name') as HTMLInputElement;
    expect(button(root, 'Save').disabled).toBe(true);
    name.value = 'mine';
    name.dispatchEvent(new Event('input'));
    await settle(fixture);
    button(root, 'Save').click();
    await settle(fixture);
    expect(stage.requests('POST', '/profile')[0].body).toEqual({ profile: 'mine', text: YAML });
    expect(text(root.querySelector('[role=alert]'))).toContain('workloads is not a list');
    expect(yaml.value).toBe(YAML);
    stage.answers['POST /profile'] = [201, {}];
    button(root, 'Save').click();
    await settle(fixture);
    expect(stage.path).toBe('/profiles');
  });

  it('changes one that is called new', async () => {
    const { stage, fixture, root } = await open('new', '/profiles/new', {
      'PUT /profile/new': [200, {}],
      'GET /profile/new/export': [200, { profile: 'new', text: YAML }],
    });
    expect(root.querySelector('#profile-name')).toBeNull();
    button(root, 'Save').click();
    await settle(fixture);
    expect(stage.requests('PUT', '/profile/new')[0].body).toEqual({ text: YAML });
  });

  it('changes an own one, and only shows one that is built in', async () => {
    const { stage, fixture, root } = await open('backup', '/profiles/backup', {
      'PUT /profile/backup': [200, {}],
    });
    button(root, 'Save').click();
    await settle(fixture);
    expect(stage.requests('PUT', '/profile/backup')[0].body).toEqual({ text: YAML });
    TestBed.resetTestingModule();
    const shown = await open('quick', '/profiles/quick');
    expect(shown.root.querySelector('textarea')?.readOnly).toBe(true);
    expect(text(shown.root)).not.toContain('Save');
  });

  it('offers a reader nothing to change', async () => {
    const { root } = await open('', '/profiles', {
      'GET /status': [200, { ...idle(), permissions: ['read'] }],
    });
    expect(root.querySelector('tbody tr')).not.toBeNull();
    expect(root.querySelector('button, .button')).toBeNull();
  });
});
