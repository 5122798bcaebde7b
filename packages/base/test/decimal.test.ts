import { expect, test } from 'vitest';
import { decimalSum, isSameNumber } from '../decimal.ts';

/** Counts in ten thousandths, which all of these amounts have as whole numbers. */
function exactSum(texts: readonly string[]): bigint {
  const partsOf = (text: string) => {
    const [whole = '', fraction = ''] = text.replace('-', '').split('.');
    const parts = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
    return text.startsWith('-') ? -parts : parts;
  };
  return texts.reduce((sum, text) => sum + partsOf(text), 0n);
}

test('the sum of thousands of amounts is exact, also where it is larger than a double has whole numbers', () => {
  const random = (below: number) => Math.floor(Math.random() * below);
  for (let round = 0; round < 40; round += 1) {
    const texts = Array.from({ length: 5_000 }, () => {
      const decimals = random(5);
      const fraction = decimals > 0 ? `.${String(random(10 ** decimals)).padStart(decimals, '0')}` : '';
      return `${round % 2 && random(3) === 0 ? '-' : ''}${random(10 ** (1 + random(13)))}${fraction}`;
    });
    const sum = decimalSum(texts) ?? '';
    expect(exactSum([sum])).toBe(exactSum(texts));
  }
  expect(decimalSum(Array.from({ length: 2_000 }, () => '99999999999.9999'))).toBe('199999999999999.8000');
  expect(decimalSum(['0.00', 2, '-1.5', '1e2'])).toBe('100.50');
  expect([decimalSum([]), decimalSum(['0']), decimalSum(['-0.10'])]).toEqual(['0', '0', '-0.10']);
  expect([decimalSum(['1', 'x']), decimalSum([null]), decimalSum(['']), decimalSum([['1']])]).toEqual(
    Array.from({ length: 4 }),
  );
});

test('two numbers are equal in any spelling, and no digit is rounded away', () => {
  const equal = [
    ['9', '9.000'],
    [9, ' 09 '],
    ['9e0', '0.9E1'],
    ['-0', 0],
    ['.5', '+0.50'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
  ];
  expect(equal.map(([one, other]) => isSameNumber(one, other))).toEqual(equal.map(() => true));
  const different = [
    ['9', '-9'],
    ['0.1000000000000000055511151231257827', 0.1],
    ['9007199254740993', 9007199254740992],
    ['x', 'x'],
    ['', ''],
    [null, null],
    [true, true],
    [Number.NaN, Number.NaN],
    ['1'.repeat(1_000_000), '1'],
  ];
  expect(different.map(([one, other]) => isSameNumber(one, other))).toEqual(different.map(() => false));
});
