import { TestBed } from '@angular/core/testing';
import { answers, groups, osds } from '../../testing/fixtures';
import { language } from '../core/locale';
import { Stage, button, settle, text } from '../../testing/stage';
import { groupFacts } from './group-facts';
import { GroupList } from './group-list';
import { faultOf, isFilled, numberOf } from '../plan-form/settings';

async function open(stage: Stage, id = '') {
  const fixture = TestBed.createComponent(GroupList);
  fixture.componentRef.setInput('id', id);
  await settle(fixture);
  return { fixture, root: fixture.nativeElement as HTMLElement, stage };
}

describe('GroupList', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('shows what groups are made of, and why one cannot be used', async () => {
    const { root } = await open(new Stage(answers()));
    const rows = [...root.querySelectorAll('tbody tr')].map(text);
    expect(rows[0]).toContain('AMD EPYC 7543');
    expect(rows[0]).toContain('27.9 TiB');
    expect(rows[1]).toContain('1 down or out');
    expect(rows[2]).toContain('is not in the CRUSH map');
  });

  it('shows the S3 gateways of the operator', async () => {
    const set = { group: 'arm', endpoints: ['https://s3:8443'], placement: '', region: 'r' };
    const { root } = await open(new Stage(answers({ 'GET /gateways': [200, [set]] })));
    expect(text(root)).toContain('https://s3:8443');
  });

  it('says what could not be had, instead of showing none', async () => {
    const refused = (detail: string): [number, unknown] => [503, { detail }];
    const { root } = await open(
      new Stage(
        answers({
          'GET /osd': refused('the mgr has no OSD map'),
          'GET /gateways': refused('the mons do not answer'),
        }),
      ),
    );
    const notices = [...root.querySelectorAll('[role=alert]')].map(text).sort();
    expect(notices).toEqual([
      'Not available: OSDs: the mgr has no OSD map',
      'Not available: S3 gateways of your own: the mons do not answer',
    ]);
    expect(text(root.querySelector('pc-gateway-sets'))).toContain('Not available');
    expect(root.querySelectorAll('pc-gateway-sets table')).toHaveLength(0);
    expect(text(root.querySelector('tbody'))).toContain('x86');
  });

  it('lets hosts be typed where no OSD is known, and a note with its spaces', async () => {
    const stage = new Stage(
      answers({ 'GET /osd': [503, { detail: 'no' }], 'POST /group': [201, groups()[0]] }),
      '/groups/_new',
    );
    const { root, fixture } = await open(stage, '_new');
    const type = async (selector: string, ...values: string[]) => {
      for (const value of values) {
        const field = root.querySelector(selector) as HTMLInputElement;
        field.value = value;
        field.dispatchEvent(new Event('input'));
        await settle(fixture);
        expect(field.value).toBe(value);
      }
    };
    await type('#group-name', 'fast');
    await type('fieldset input[type=text]', 'n', 'n1,n2');
    await type('#group-note', 'old b', 'old ');
    button(root, 'Create').click();
    await settle(fixture);
    expect(stage.requests('POST', '/group')[0].body).toEqual({
      group: 'fast',
      hosts: ['n1', 'n2'],
      note: 'old',
    });
  });

  it('sets gateways with keys, and forgets them after a question', async () => {
    const set = { group: 'arm', endpoints: ['https://s3:8443'], placement: '', region: 'r' };
    const { root, stage, fixture } = await open(
      new Stage(
        answers({
          'GET /gateways': [200, [set]],
          'PUT /gateways/x86': [200, set],
          'DELETE /gateways/arm': [204, null],
        }),
      ),
    );
    button(root, 'Set gateways of a group').click();
    await settle(fixture);
    const type = (name: string, value: string) => {
      const field = root.querySelector(`#gateways-${name}`) as HTMLInputElement;
      field.value = value;
      field.dispatchEvent(new Event(name === 'group' ? 'change' : 'input'));
    };
    expect(root.querySelector<HTMLInputElement>('#gateways-secret_key')?.type).toBe('password');
    type('group', 'x86');
    type('endpoints', 'http://a:80, http://b:80');
    type('access_key', ' A ');
    await settle(fixture);
    expect(button(root, 'Save').disabled).toBe(true);
    type('secret_key', ' S ');
    await settle(fixture);
    button(root, 'Save').click();
    await settle(fixture);
    expect(stage.requests('PUT', '/gateways/x86')[0].body).toEqual({
      endpoints: ['http://a:80', 'http://b:80'],
      access_key: 'A',
      // a space may be part of it
      secret_key: ' S ',
    });
    expect(root.querySelector('#gateways-secret_key')).toBeNull();
    button(root, 'Forget…').click();
    await settle(fixture);
    button(root.querySelector('dialog') as HTMLElement, 'Forget').click();
    await settle(fixture);
    expect(stage.requests('DELETE', '/gateways/arm')).toHaveLength(1);
  });

  it('gives keys to the group that is shown, where the chosen one was removed', async () => {
    const { root, stage, fixture } = await open(new Stage(answers()));
    button(root, 'Set gateways of a group').click();
    await settle(fixture);
    const select = root.querySelector('#gateways-group') as HTMLSelectElement;
    select.value = 'arm';
    select.dispatchEvent(new Event('change'));
    stage.answers['GET /group'] = [200, groups().filter(({ spec }) => spec.name !== 'arm')];
    await fixture.componentInstance['reload']();
    await settle(fixture);
    expect(select.value).toBe('x86');
    for (const name of ['endpoints', 'access_key', 'secret_key']) {
      const field = root.querySelector(`#gateways-${name}`) as HTMLInputElement;
      field.value = 'http://a:80';
      field.dispatchEvent(new Event('input'));
    }
    await settle(fixture);
    button(root, 'Save').click();
    await settle(fixture);
    expect(stage.requests('PUT', '/gateways/x86')).toHaveLength(1);
    expect(stage.requests('PUT', '/gateways/arm')).toHaveLength(0);
  });

  it('says why no group can be proposed', async () => {
    const why = "host 'a' carries OSDs of aarch64 and x86_64";
    const none = { proposals: [], left_out: [why] };
    const { root, fixture, stage } = await open(
      new Stage(answers({ 'POST /group/detect': [200, none] })),
    );
    button(root, 'Detect by architecture').click();
    await settle(fixture);
    expect(text(root)).toContain('No group can be proposed.');
    expect(text(root)).toContain(why);
    expect(text(root)).not.toContain('no OSD reports its architecture');
    stage.answers['POST /group/detect'] = [200, { proposals: [], left_out: [] }];
    button(root, 'Detect by architecture').click();
    await settle(fixture);
    expect(text(root)).toContain('no OSD reports its architecture');
  });

  it('sets detected groups as they were shown, and only when told to', async () => {
    const { root, stage, fixture } = await open(
      new Stage(answers({ 'POST /group': [201, groups()[0]] })),
    );
    button(root, 'Detect by architecture').click();
    await settle(fixture);
    expect(stage.requests('POST', '/group/detect').map((s) => s.body)).toEqual([{}]);
    expect(text(root)).toContain('Left out: osd.7');
    button(root, 'Set these groups').click();
    await settle(fixture);
    expect(stage.requests('POST', '/group/detect')).toHaveLength(1);
    // x86 is set already, and stays as it is
    expect(stage.requests('POST', '/group').map((s) => s.body)).toEqual([
      { group: 'arm', device_class: 'arm' },
    ]);
    expect(root.querySelector('pc-group-detect')).toBeNull();
  });

  it('sets what it can of the detected groups, and says what was refused', async () => {
    const list = groups().filter(({ defined }) => !defined);
    const refused = { detail: "group 'arm' exists; change it with PUT" };
    const { root, stage, fixture } = await open(
      new Stage(answers({ 'GET /group': [200, list], 'POST /group': [409, refused] })),
    );
    button(root, 'Detect by architecture').click();
    await settle(fixture);
    stage.answers['GET /group'] = [200, groups()];
    button(root, 'Set these groups').click();
    await settle(fixture);
    expect(stage.requests('POST', '/group').map((s) => s.body)).toEqual([
      { group: 'x86', hosts: ['x86-1', 'x86-2'] },
      { group: 'arm', device_class: 'arm' },
    ]);
    expect(text(root.querySelector('[role=alert]'))).toBe(refused.detail);
    // what became of them is seen
    expect(text(root.querySelector('pc-group-detect tbody'))).toContain('set already');
  });

  it('creates a group of chosen hosts', async () => {
    const created = answers({ 'POST /group': [201, groups()[0]] });
    const { root, stage, fixture } = await open(new Stage(created, '/groups/_new'), '_new');
    const name = root.querySelector<HTMLInputElement>('#group-name');
    expect(button(root, 'Create').disabled).toBe(true);
    if (name) {
      name.value = 'fast';
      name.dispatchEvent(new Event('input'));
    }
    root.querySelector<HTMLInputElement>('.choices input')?.click();
    await settle(fixture);
    button(root, 'Create').click();
    await settle(fixture);
    expect(stage.requests('POST', '/group')[0].body).toEqual({ group: 'fast', hosts: ['arm-1'] });
    expect(stage.path).toBe('/groups');
  });

  it('edits a group that is called new', async () => {
    const [group] = groups();
    const called = { ...group, spec: { ...group.spec, name: 'new' } };
    const list = answers({ 'GET /group': [200, [called]] });
    const { root } = await open(new Stage(list, '/groups/new'), 'new');
    expect(root.querySelector('#group-name')).toBeNull();
    expect(button(root, 'Save')).toBeTruthy();
  });

  it('edits a group as it is set when the form is opened', async () => {
    const { root, stage, fixture } = await open(new Stage(answers(), '/groups'));
    const changed = groups();
    Object.assign(changed.find(({ spec }) => spec.name === 'x86')?.spec ?? {}, { watts: 450 });
    stage.answers['GET /group'] = [200, changed];
    fixture.componentRef.setInput('id', 'x86');
    fixture.detectChanges();
    expect(root.querySelector('pc-group-form')).toBeNull(); // what is typed would get lost
    await settle(fixture);
    expect(root.querySelector<HTMLInputElement>('#group-watts')?.value).toBe('450');
    // and the list shows what was saved
    changed.pop();
    fixture.componentRef.setInput('id', '');
    await settle(fixture);
    expect(root.querySelectorAll('th[scope=row]')).toHaveLength(changed.length);
  });

  it('keeps the form with the reason when the API refuses', async () => {
    const refused = { detail: "group 'x86': host 'x86-9' is not in the CRUSH map" };
    const stage = new Stage(answers({ 'PUT /group/x86': [400, refused] }), '/groups/x86');
    const { root, fixture } = await open(stage, 'x86');
    button(root, 'Save').click();
    await settle(fixture);
    expect(text(root.querySelector('[role=alert]'))).toBe(refused.detail);
  });

  it('keeps a power that is no number to be mended, and sends nothing of it', async () => {
    const stored = groups();
    Object.assign(stored.find(({ spec }) => spec.name === 'x86')?.spec ?? {}, { watts: 450 });
    const stage = new Stage(
      answers({ 'GET /group': [200, stored], 'PUT /group/x86': [200, stored[0]] }),
      '/groups/x86',
    );
    const { root, fixture } = await open(stage, 'x86');
    const watts = root.querySelector('#group-watts') as HTMLInputElement;
    const type = async (value: string) => {
      watts.value = value;
      watts.dispatchEvent(new Event('input'));
      await settle(fixture);
    };
    expect(watts.value).toBe('450');
    await type('450 W');
    expect(watts.value).toBe('450 W');
    expect(watts.getAttribute('aria-invalid')).toBe('true');
    expect(text(root.querySelector('#group-watts-fault'))).toBe('“450 W” is not a number.');
    expect(button(root, 'Save').disabled).toBe(true);
    await type('455.5');
    button(root, 'Save').click();
    await settle(fixture);
    expect(stage.requests('PUT', '/group/x86')[0].body).toMatchObject({ watts: 455.5 });
  });

  it('has the API say what is wrong with a power', async () => {
    const refused = { detail: "--watts '-3' is not above 0" };
    const stage = new Stage(answers({ 'PUT /group/x86': [400, refused] }), '/groups/x86');
    const { root, fixture } = await open(stage, 'x86');
    const watts = root.querySelector<HTMLInputElement>('#group-watts');
    if (watts) {
      watts.value = '-3';
      watts.dispatchEvent(new Event('input'));
    }
    await settle(fixture);
    button(root, 'Save').click();
    await settle(fixture);
    expect(stage.requests('PUT', '/group/x86')[0].body).toMatchObject({ watts: -3 });
    expect(text(root.querySelector('[role=alert]'))).toBe(refused.detail);
  });
});

describe('numbers that are typed', () => {
  const rate = { key: 'rate', label: '', number: 'float' as const };
  afterEach(() => (language.tag = 'en-US'));

  it('have the decimal sign of the language, or a point', () => {
    expect(faultOf(rate, '455,5')).toBe('“455,5” is not a number.');
    language.tag = 'de';
    expect([faultOf(rate, '455,5'), numberOf('455,5')]).toEqual(['', 455.5]);
    expect(numberOf('−0.5')).toBe(-0.5);
    // it may group digits
    expect(faultOf(rate, '1,234,5')).toContain('1,234,5');
    expect(faultOf(rate, '1.234,5')).toContain('1.234,5');
  });

  it('are none where there are only spaces', () => {
    expect(faultOf(rate, ' ')).toBe('');
    expect(numberOf(' ')).toBeNaN();
    expect(isFilled({ groups: [], rate: ' ' }, 'rate')).toBe(false);
  });
});

describe('groupFacts', () => {
  it('sums what the OSDs report', () => {
    const byId = new Map(osds().map((osd) => [osd.id, osd]));
    const facts = groupFacts(groups()[1], byId);
    expect(facts).toMatchObject({ osds: 7, missing: [15], media: ['NVMe'], versions: ['20.2.4'] });
  });
});
