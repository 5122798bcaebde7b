import { randomBytes } from 'node:crypto';

/** Ids refer to the text that they are cut from. */
const bytesAtOnce = 1_024;

let digits = '';
let next = 0;

/** Random hexadecimal digits, few of them. The system is asked for those of many ids at once. */
export function randomHex(length: number): string {
  if (next + length > digits.length) {
    digits = randomBytes(bytesAtOnce).toString('hex');
    next = 0;
  }
  next += length;
  return digits.slice(next - length, next);
}
