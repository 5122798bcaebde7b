/** A key has 1 to 255 printable characters of ASCII. */
export function isIdempotencyKey(text: string): boolean {
  return /^[ -~]{1,255}$/.test(text);
}
