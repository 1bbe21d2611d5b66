/** The texts of the page and their translations, as XLIFF 1.2. */

const UNIT = /<trans-unit id="([^"]+)"[^>]*>([\s\S]*?)<\/trans-unit>/g;
const SOURCE = /<source>([\s\S]*?)<\/source>/;
const TARGET = /<target([^>]*?)(?:\/>|>([\s\S]*?)<\/target>)/;
const PLACE = /sourcefile">([^<]+)</;
const UNDONE = /state="(?:new|needs-[\w-]+)"/;
const HOLE = /<x id="([^"]+)"/g;
const PLURAL = /^\{(\w+), (plural|select), /;

/** Return what one file has: id -> source, target, done, place, in its order. */
export function read(xliff) {
  const units = new Map();
  for (const [, id, body] of xliff.matchAll(UNIT)) {
    const [, state, text = ''] = TARGET.exec(body) ?? ['', '', ''];
    units.set(id, {
      source: SOURCE.exec(body)?.[1] ?? '',
      target: text,
      done: text.trim() !== '' && !UNDONE.test(state),
      place: PLACE.exec(body)?.[1] ?? '',
    });
  }
  return units;
}

/** Return a file: what there is now, with what was translated of it. */
export function write(language, texts, old) {
  const units = [...texts].map(([id, { source, place }]) => {
    const known = old.get(id);
    const target =
      known?.done && plain(known.source) === plain(source)
        ? `<target>${known.target}</target>`
        : `<target state="new">${known?.target ?? ''}</target>`;
    return [
      `      <trans-unit id="${id}" datatype="html">`,
      `        <source>${source}</source>`,
      `        ${target}`,
      '        <context-group purpose="location">',
      `          <context context-type="sourcefile">${place}</context>`,
      '        </context-group>',
      '      </trans-unit>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8" ?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file source-language="en-US" target-language="${language}" datatype="plaintext" original="page">
    <body>
${units.join('\n')}
    </body>
  </file>
</xliff>
`;
}

/** Return what is wrong with a translation, one line each. */
export function faults(texts, translated) {
  const found = [];
  for (const [id, { source, place }] of texts) {
    const known = translated.get(id);
    const say = (what) => found.push(`${id} (${place}): ${what}: ${plain(source)}`);
    if (!known?.done) {
      say('not translated');
    } else if (plain(known.source) !== plain(source)) {
      say('the source has changed');
    } else {
      pairFaults(source, known.target).forEach(say);
    }
  }
  for (const [id, { source }] of translated) {
    if (!texts.has(id)) {
      found.push(`${id}: the page has no such text any more: ${plain(source)}`);
    }
  }
  return found;
}

/** Return what a translation does not keep of its source. */
export function pairFaults(source, target) {
  const found = [];
  if (holes(source) !== holes(target)) {
    found.push(`placeholders differ, ${holes(source)} and ${holes(target)}`);
  }
  if (PLURAL.exec(source)?.[0] !== PLURAL.exec(target)?.[0]) {
    found.push('the kind of its cases differs');
  } else if (PLURAL.test(source) && !/ other \{/.test(target)) {
    found.push('there is no case "other"');
  }
  if (heads(source) !== heads(target)) {
    found.push('columns of a table, or the marks before them, differ');
  }
  return found;
}

/** The placeholders; a case of a plural may have one again or leave it out. */
function holes(text) {
  const names = [...text.matchAll(HOLE)].map(([, id]) => id).sort();
  return (PLURAL.test(text) ? [...new Set(names)] : names).join(', ');
}

/** The heads of a table are one text with '|' between, and marks before. */
function heads(text) {
  const parts = words(text).split('|');
  return parts.length === 1
    ? ''
    : parts.map((part) => /^(?:&[lg]t;|\.)?/.exec(part.trim())[0]).join('|');
}

/** Return terms that are not translated as the glossary of a language has it. */
export function termFaults(translated, glossary) {
  const found = [];
  for (const [id, { source, target, done }] of translated) {
    for (const [term, wanted] of Object.entries(glossary)) {
      const used = new RegExp(`(?<![\\w-])${term}(?![\\w-])`, 'i').test(words(source));
      const kept = wanted.some((one) => words(target).toLowerCase().includes(one.toLowerCase()));
      if (done && used && !kept) {
        found.push(`${id}: “${term}” is not ${wanted.join(' or ')}: ${plain(target)}`);
      }
    }
  }
  return found;
}

function words(text) {
  return text.replace(/<[^>]*>/g, ' ');
}

function plain(text) {
  return text
    .replace(/<x id="([^"]+)"[^>]*\/>/g, '{$1}')
    .replace(/\s+/g, ' ')
    .trim();
}
