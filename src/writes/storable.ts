import { type FieldError, isObject, isSameNumber, type Json } from '@gateway/base';

/** Finds values that real deployments of the service drop or round without an error. A phone number even deletes the stored one. */
export function storageMistakes(input: object, path: (string | number)[] = ['input']): FieldError[] {
  const own = Object.entries(mistakes).flatMap(([name, mistakeIn]) => {
    const message = mistakeIn((input as Json)[name]);
    return message ? [{ path: [...path, name], message }] : [];
  });
  const below = Object.entries(input).flatMap(([name, value]) => {
    if (isObject(value)) return storageMistakes(value, [...path, name]);
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, index) => (isObject(item) ? storageMistakes(item, [...path, name, index]) : []));
  });
  return [...own, ...below];
}

const mistakes: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  phone: (value) => (isPhone(value) ? undefined : 'Send a complete international number, such as +31612345678.'),
  amount: (value) => decimalMistake(value) ?? amountMistake(value),
  quantity: decimalMistake,
};

/** `+` or `tel:+`, 7 to 15 digits, and possibly an extension. */
const international = /^(tel:)?\+[1-9]\d{6,14}((;ext=|ext|x)\d{1,7})?$/i;
const separators = /[ ()./-]+/g;

function isPhone(phone: unknown): boolean {
  if (typeof phone !== 'string') return true;
  const trimmed = phone.trim();
  return trimmed === '' || international.test(trimmed.replace(separators, ''));
}

/** The service stores 25 digits, three of them decimals. */
const maxWholeDigits = 22;

function decimalMistake(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, digits = '', others = ''] = /^-?0*(\d*)(?:\.\d{0,3}(\d*))?$/.exec(value) ?? [];
  if (digits.length > maxWholeDigits) return `At most ${maxWholeDigits} digits before the point.`;
  return /[1-9]/.test(others) ? 'The service rounds to three decimals: send at most three.' : undefined;
}

/** Up to here, binary floating point has room for three decimals. */
const roomy = 1e12;

/** The service computes amounts in binary floating point. Those of type Float come to the gateway so. */
function amountMistake(amount: unknown): string | undefined {
  const isExact =
    typeof amount === 'number'
      ? Math.abs(amount) < roomy || Number.isSafeInteger(amount) || Number(amount.toPrecision(15)) === amount
      : typeof amount !== 'string' || isSameNumber(Number(amount).toFixed(3), amount);
  return isExact ? undefined : 'The service rounds an amount of so many digits: send at most 15 digits.';
}
