import { MIMEType } from 'node:util';

/** The boundary that a multipart/form-data Content-Type names (RFC 2046: up to 70 printable characters). */
export function boundaryOf(contentType: string): string | undefined {
  try {
    const { essence, params } = new MIMEType(contentType);
    const boundary = params.get('boundary') ?? '';
    return essence === 'multipart/form-data' && /^[ -~]{1,70}$/.test(boundary) ? boundary : undefined;
  } catch {
    return undefined;
  }
}

const CR = 0x0d;
const LF = 0x0a;

/** Finds CR LF CR LF, which ends the header of a part, in a body that comes in chunks. */
export class EmptyLineFinder {
  #matched = 0;

  /** Whether the last chunk asked about holds the end of one. */
  get found(): boolean {
    return this.#matched === 4;
  }

  /** Where the first one ends in the chunk that follows what was passed over so far; the chunk's length if none does. */
  endIn(chunk: Buffer): number {
    if (this.found) this.#matched = 0;
    for (const [index, byte] of chunk.entries()) {
      if (byte === (this.#matched % 2 === 0 ? CR : LF)) this.#matched++;
      else this.#matched = byte === CR ? 1 : 0;
      if (this.found) return index + 1;
    }
    return chunk.length;
  }
}
