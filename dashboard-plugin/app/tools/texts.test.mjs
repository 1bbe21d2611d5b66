import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faults, pairFaults, read, termFaults, write } from './texts.mjs';

const HOLE = '<x id="INTERPOLATION" equiv-text="{{ n }}"/>';
const unit = (id, source, more = '') =>
  `<trans-unit id="${id}" datatype="html"><source>${source}</source>${more}` +
  '<context context-type="sourcefile">src/a.html</context></trans-unit>';
const texts = read(unit('1', `Run ${HOLE}`) + unit('2', 'slower'));

test('a file is brought to the texts there are now', () => {
  const old = read(
    unit('1', `Run  ${HOLE}`, `<target>Lauf ${HOLE}</target>`) +
      unit('2', 'slow', '<target>langsam</target>') +
      unit('3', 'gone', '<target>weg</target>'),
  );
  const made = read(write('de', texts, old));
  assert.deepEqual([...made.keys()], ['1', '2']);
  assert.equal(made.get('1').target, `Lauf ${HOLE}`);
  assert.ok(made.get('1').done);
  assert.equal(made.get('2').target, 'langsam'); // to be looked at
  assert.equal(made.get('2').done, false);
});

test('what is missing, changed or gone is a fault', () => {
  const done = (id, source, target) => unit(id, source, `<target>${target}</target>`);
  const of = (...units) => faults(texts, read(units.join('')));
  const one = done('1', `Run ${HOLE}`, `Lauf ${HOLE}`);
  const two = done('2', 'slower', 'langsamer');
  assert.deepEqual(of(one, two), []);
  assert.match(of(one)[0], /^2 \(src\/a\.html\): not translated: slower/);
  assert.match(of(one, done('2', 'slower', ' '))[0], /not translated/);
  assert.match(of(one, unit('2', 'slower', '<target/>'))[0], /not translated/);
  assert.match(of(one, unit('2', 'slower', '<target state="new">x</target>'))[0], /not translated/);
  assert.match(of(one, done('2', 'slow', 'langsam'))[0], /source has changed/);
  assert.match(of(one, two, done('9', 'old', 'alt'))[0], /no such text any more: old/);
});

test('what a translation has to keep is kept', () => {
  const plural = `{VAR_PLURAL, plural, =1 {1 OSD} other {${HOLE} OSDs}}`;
  assert.deepEqual(pairFaults(plural, `{VAR_PLURAL, plural, other {${HOLE} 个 OSD}}`), []);
  assert.match(pairFaults(plural, `{VAR_PLURAL, plural, =1 {${HOLE}}}`)[0], /no case "other"/);
  assert.match(pairFaults(plural, `${HOLE} OSDs`)[0], /kind of its cases/);
  assert.match(pairFaults(`Run ${HOLE}`, 'Lauf')[0], /placeholders/);
  assert.match(pairFaults('Run', `Lauf ${HOLE}`)[0], /placeholders/);
  assert.deepEqual(pairFaults('Group|&gt;OSDs|.Actions', 'Gruppe|&gt;OSDs|.Aktionen'), []);
  assert.match(pairFaults('Group|&gt;OSDs', 'Gruppe|OSDs')[0], /columns/);
  assert.match(pairFaults('Group|&gt;OSDs', 'Gruppe')[0], /columns/);
});

test('a term is translated as the glossary has it', () => {
  const of = (source, target) =>
    termFaults(read(unit('1', source, `<target>${target}</target>`)), { slower: ['langsamer'] });
  assert.deepEqual(of(`${HOLE} slower`, `${HOLE} langsamer`), []);
  assert.deepEqual(of('x-slower', 'anders'), []);
  assert.match(of('Slower than', 'Träger als')[0], /“slower” is not langsamer/);
});
