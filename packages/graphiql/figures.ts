/** Figures as text. */

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Milliseconds with two digits, because they are an estimate. */
export function aboutMs(ms: number): string {
  const estimate = Number(ms.toPrecision(2));
  return estimate < 1000 ? `${estimate} ms` : `${estimate / 1000} s`;
}

/** Milliseconds that were measured. */
export function exactMs(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

/** `850 B`, `3.1 kB`, `1.2 MB`. */
export function byteText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [size, unit] = bytes < 999_950 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size.toFixed(1)} ${unit}`;
}
