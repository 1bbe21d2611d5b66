/** The languages of the page, and the few texts that are not its own. */

import de from '../../languages/de/shell.json' with { type: 'json' };
import english from '../../languages/en-US/shell.json' with { type: 'json' };
import chinese from '../../languages/zh-Hans/shell.json' with { type: 'json' };

export const ENGLISH = 'en-US';
const TEXTS = { [ENGLISH]: english, de, 'zh-Hans': chinese };

/** The languages there are; each but English has a folder of its name. */
export const LANGUAGES = Object.keys(TEXTS);

/**
 * Return the language for the first of these tags that has one, e.g. 'de' for
 * 'de-AT' and 'zh-Hans' for 'zh-CN'; English where none has.
 */
export function languageOf(tags) {
  for (const tag of tags) {
    const script = scriptOf(tag);
    const found = LANGUAGES.find((one) => script && scriptOf(one) === script);
    if (found) {
      return found;
    }
  }
  return ENGLISH;
}

/** Taiwan's Chinese is not written as Singapore's; Austria's German is. */
function scriptOf(tag) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return null; // nothing that is a tag
  }
}

/** Return the texts of a language, and the folder of its main.js. */
export function speak(language) {
  const folder = language === ENGLISH ? '' : `${language}/`;
  return { ...TEXTS[language], language, folder };
}
