/** Identifiers and timestamps of the data set: the same in every process, without a stored file. */

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** The identifier of the index-th thing of a kind: 12 characters, as unguessable to look at as a real one. */
export function idOf(kind: string, index: number): string {
  let hash = 2166136261;
  for (const character of `${kind}:${index}`) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619);
  const random = randomNumbers(hash);
  return Array.from({ length: 12 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}

/** An ISO 8601 timestamp, so many hours after the start of 2023. */
export function hoursIn(hours: number): string {
  return new Date(Date.UTC(2023, 0, 1) + hours * 3_600_000).toISOString();
}

/** The item at an index, counted round. */
export function pick<T>(items: readonly T[], index: number): T {
  return items[index % items.length]!;
}

/** Mulberry32: numbers in [0, 1), the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The number of farmers or transactions. The environment may ask for more than the usual one. */
export function atLeast(usual: number): number {
  return Math.max(usual, Number(process.env.STUB_ROWS ?? 0));
}
