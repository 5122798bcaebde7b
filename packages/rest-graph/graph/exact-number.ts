const number = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,6}))?$/;

/** Longer numbers are compared as text. */
const maxLength = 400;

/** Two numbers, or texts of numbers, have the same digits: "9", "9.000" and 9e0. No digit is rounded away. */
export function isSameNumber(one: unknown, other: unknown): boolean {
  const exact = exactly(one);
  return exact !== undefined && exact === exactly(other);
}

function exactly(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value).trim();
  if (text.length > maxLength) return text;
  const [, sign, whole = '', fraction = '', exponent = '0'] = number.exec(text) ?? [];
  if (whole + fraction === '') return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}
