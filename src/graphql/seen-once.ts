import { hash } from 'node:crypto';

/**
 * Remembers the last texts that came once, by a part of their digest. The memory is fixed: a text takes the place of
 * an earlier one. Caches call this a doorkeeper.
 */
export class SeenOnce {
  readonly #marks = new Uint32Array(2 ** 14);

  /** True for a text that came before. */
  hasOrAdd(text: string): boolean {
    const digest = hash('sha256', text, 'buffer');
    const place = digest.readUInt32LE(0) % this.#marks.length;
    const mark = digest.readUInt32LE(4);
    if (this.#marks[place] === mark) return true;
    this.#marks[place] = mark;
    return false;
  }
}
