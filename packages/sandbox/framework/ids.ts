const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const base = BigInt(alphabet.length);
const length = 10;
const space = base ** BigInt(length);
// A factor coprime with the space shuffles the numbers without a collision. `inverse` reverses the multiplication.
const factor = 482_711_930_257_613n;
const inverse = 327_200_608_314_262n;

/** The hashid of the n-th row of any table. Tables share one salt, as in the real service, so their ids collide. */
export function encodeId(n: number): string {
  let rest = (BigInt(n) * factor) % space;
  let id = '';
  while (id.length < length) {
    id += alphabet[Number(rest % base)];
    rest /= base;
  }
  return id;
}

/** Undefined for a text that is no hashid. Lower case is none. */
export function decodeId(id: string): number | undefined {
  if (id.length !== length) return undefined;
  let shuffled = 0n;
  for (const letter of [...id].reverse()) {
    const digit = alphabet.indexOf(letter);
    if (digit < 0) return undefined;
    shuffled = shuffled * base + BigInt(digit);
  }
  return Number((shuffled * inverse) % space);
}
