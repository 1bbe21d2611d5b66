import { toCsv } from './download';

describe('toCsv', () => {
  it('quotes what must be quoted and disarms formulas', () => {
    expect(toCsv([['a,b', 'say "x"', '=1+1', -5, null]])).toBe('"a,b","say ""x""",\'=1+1,-5,\r\n');
  });
});
