import {
  compact,
  fixed,
  grouped,
  language,
  locale,
  plain,
  rootOf,
  separator,
  variant,
} from './locale';
import {
  formatBytes,
  formatInterval,
  formatLocal,
  formatOps,
  formatP,
  formatRatio,
  formatUtc,
} from './units';

describe('locale', () => {
  afterEach(() => {
    language.tag = 'en-US';
  });

  it('writes numbers as the language of the page does', () => {
    language.tag = 'de';
    expect(formatOps(10903.4)).toBe('10.903 op/s');
    expect(formatBytes(1.5 * 2 ** 30)).toBe('1,50 GiB');
    expect(formatRatio(0.5746)).toBe('0,575');
    expect(formatP(0.0004)).toBe('<0,001');
    expect(fixed(1234.5, 1)).toBe('1234,5');
    expect(grouped(1234567)).toBe('1.234.567');
    expect(plain(1.25)).toBe('1,25');
    language.tag = 'zh-Hans';
    expect(formatOps(10903.4)).toBe('10,903 op/s');
    expect(compact(12000)).toBe('1.2万');
  });

  it('keeps two numbers apart where the comma is in numbers', () => {
    expect(formatInterval(0.97, 12.34)).toBe('[0.970, 12.3]');
    language.tag = 'de';
    expect(formatInterval(0.97, 12.34)).toBe('[0,970; 12,3]');
    expect(separator()).toBe('; ');
  });

  it('writes dates as the page, machines read the same in all languages', () => {
    language.tag = 'de';
    expect(formatLocal(1795195000)).toContain('Nov. 2026');
    language.tag = 'zh-Hans';
    expect(formatLocal(1795195000)).toContain('2026年11月');
    expect(formatUtc(1795195000)).toBe('2026-11-20T17:16:40Z');
  });

  it("takes the reader's variant of the language of the page", () => {
    expect(variant(['en-GB', 'de'])).toBe('en-GB');
    expect(variant(['fr'])).toBe('en-US');
    language.tag = 'de';
    expect(variant(['en-GB', 'de-AT'])).toBe('de-AT');
  });

  it('finds the API from the folder of a language, too', () => {
    const page = 'https://ceph.test/prefix/perfcompare-ui/';
    expect(rootOf(`${page}main.js?v=1`)).toBe(page);
    language.tag = 'de';
    expect(locale()).toBe('de');
    expect(rootOf(`${page}de/main.js?v=1`)).toBe(page);
  });
});
