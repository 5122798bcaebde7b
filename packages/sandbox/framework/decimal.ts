/** Decimals are text, counted in whole thousandths, so that no float rounds an amount. */
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Three decimals, rounded half to even like the real service; undefined for a text that is no number. */
export function parseDecimal(value: string | number): string | undefined {
  const match = pattern.exec(String(value).trim());
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (!whole && !fraction) return undefined;
  const thousandths = scale(BigInt(whole + fraction), Number(exponent) - fraction.length + 3);
  return format(sign === '-' ? -thousandths : thousandths);
}

/** The number of digits before the point of a parsed decimal. */
export function wholeDigits(decimal: string): number {
  return decimal.replace('-', '').split('.')[0]?.replace(/^0+/, '').length ?? 0;
}

export function addDecimals(decimals: string[]): string {
  return format(decimals.reduce((sum, decimal) => sum + BigInt(decimal.replace('.', '')), 0n));
}

function scale(digits: bigint, exponent: number): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  const quotient = digits / divisor;
  const twice = (digits % divisor) * 2n;
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

function format(thousandths: bigint): string {
  const digits = (thousandths < 0n ? -thousandths : thousandths).toString().padStart(4, '0');
  return `${thousandths < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
