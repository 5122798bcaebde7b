import type { Likeness } from './data.ts';

/** Equal texts have equal keys. Phone numbers with equal keys may differ. Empty: there is nothing to compare. */
export const keyOf: Record<Likeness, (text: string) => string> = {
  codes: foldedCode,
  names: (text) => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim(),
  phones: (text) => phoneOf(text).digits.slice(-fewestDigits),
};

export const isAlike: Record<Likeness, (one: string, other: string) => boolean> = {
  codes: (one, other) => isSame(keyOf.codes(one), keyOf.codes(other)),
  names: (one, other) => isSame(keyOf.names(one), keyOf.names(other)),
  phones: isSamePhone,
};

/** For descriptions in SDL. */
export const likenessText: Record<Likeness, string> = {
  codes: 'case, spaces, and the characters `:` `-` `.` `_` `/` do not count',
  names: 'case and the number of spaces do not count, and one letter may have several Unicode forms',
  phones:
    'digits count; a number without its country is the same as an international one that ends with it, from 7 digits on',
};

const isSame = (one: string, other: string) => one !== '' && one === other;

/** Readers and people put these between the parts of a number. */
export const betweenCodes = /[\s:._/-]+/gu;

/** Readers and people spell one number as `04:a1:b2`, `04A1B2` or `04 A1 B2`. */
export function foldedCode(text: string): string {
  return text.normalize('NFKC').toUpperCase().replace(betweenCodes, '');
}

/** Shorter numbers are services of a country, and no subscriber. */
const fewestDigits = 7;

interface Phone {
  digits: string;
  isInternational: boolean;
}

/** Services write `+233 2 43877718`, people `00233243877718`, `+233 (0)24 387 7718` or `024-3877718`. */
function phoneOf(text: string): Phone {
  const plain = text.normalize('NFKC').trim().replace(/^tel:/i, '').replace('(0)', '');
  const digits = plain.replace(/\D/g, '');
  if (plain.startsWith('+')) return { digits, isInternational: true };
  if (digits.startsWith('00')) return { digits: digits.slice(2), isInternational: true };
  return { digits: digits.replace(/^0/, ''), isInternational: false };
}

function isSamePhone(one: string, other: string): boolean {
  const [a, b] = [phoneOf(one), phoneOf(other)];
  if (Math.min(a.digits.length, b.digits.length) < fewestDigits) return false;
  if (a.isInternational === b.isInternational) return a.digits === b.digits;
  return a.isInternational ? a.digits.endsWith(b.digits) : b.digits.endsWith(a.digits);
}
