const decimal = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,3}))?$/;

/** Longer numbers are no amounts. */
const maxDigits = 400;

/** With a sign, a point, and an exponent. */
const maxLength = maxDigits + '+.e+999'.length;

/** A number as a whole number of parts, of which there are 10 ** `decimals` in 1. */
interface Decimal {
  parts: bigint;
  decimals: number;
}

/** Texts of most amounts. Their parts are whole numbers below 10 ** 15, which a double has exactly. */
const amount = /^-?\d{1,11}(?:\.\d{1,4})?$/;
const mostParts = Number.MAX_SAFE_INTEGER - 10 ** 15;

/**
 * The exact sum of numbers and texts of numbers, in plain notation. It keeps the decimals of the longest: "1.50" and 2 are
 * "3.50". Undefined where one of them is no number, or has more than 400 digits.
 */
export function decimalSum(values: Iterable<unknown>): string | undefined {
  let sum: Decimal = { parts: 0n, decimals: 0 };
  /** Parts that are not in the sum yet, by their decimals. */
  const parts: number[] = [];
  for (const value of values) {
    const text = String(value);
    if (typeof value !== 'object' && amount.test(text)) {
      const point = text.indexOf('.');
      const decimals = point < 0 ? 0 : text.length - point - 1;
      const more = (parts[decimals] ?? 0) + Math.round(Number(text) * 10 ** decimals);
      parts[decimals] = more;
      if (Math.abs(more) < mostParts) continue;
      parts[decimals] = 0;
      sum = plus(sum, { parts: BigInt(more), decimals });
    } else {
      const next = decimalOf(value);
      if (!next) return undefined;
      sum = plus(sum, next);
    }
  }
  for (const [decimals, some] of parts.entries()) {
    if (some !== undefined) sum = plus(sum, { parts: BigInt(some), decimals });
  }
  return textOf(sum);
}

/** Two numbers, or texts of numbers, are equal: "9", "9.000" and 9e0. No digit is rounded away, and more than 400 equal none. */
export function isSameNumber(one: unknown, other: unknown): boolean {
  const [first, second] = [decimalOf(one), decimalOf(other)];
  if (!first || !second) return false;
  const decimals = Math.max(first.decimals, second.decimals);
  return partsAt(first, decimals) === partsAt(second, decimals);
}

function plus(one: Decimal, other: Decimal): Decimal {
  const decimals = Math.max(one.decimals, other.decimals);
  return { parts: partsAt(one, decimals) + partsAt(other, decimals), decimals };
}

function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value).trim();
  // The pattern takes hours for a million digits.
  if (text.length > maxLength) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = decimal.exec(text) ?? [];
  const digits = whole + fraction;
  const power = Number(exponent) - fraction.length;
  if (digits === '' || digits.length + Math.abs(power) > maxDigits) return undefined;
  const parts = BigInt(`${sign === '-' ? '-' : ''}${digits}`);
  return power > 0 ? { parts: parts * 10n ** BigInt(power), decimals: 0 } : { parts, decimals: -power };
}

function partsAt({ parts, decimals }: Decimal, wanted: number): bigint {
  return parts * 10n ** BigInt(wanted - decimals);
}

function textOf({ parts, decimals }: Decimal): string {
  const digits = String(parts < 0n ? -parts : parts).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${parts < 0n ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
}
