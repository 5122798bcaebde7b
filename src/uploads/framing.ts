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

/** Finds CR LF CR LF, which ends the header of a part, in a body of several chunks. */
class EmptyLineFinder {
  #matched = 0;

  /** The last chunk contains the end of an empty line. */
  get found(): boolean {
    return this.#matched === 4;
  }

  /** The index after the first empty line in the chunk; the chunk's length if no empty line ends there. */
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

/** The part of a form before its file. */
export class FormHead {
  bytes = 0;
  /** The index after the last part header. */
  headerEnd = 0;
  readonly #emptyLine = new EmptyLineFinder();
  /** Throws on bytes that are not UTF-8, which busboy would read as another text. */
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });

  /** The chunk up to the end of the next part header. */
  upToHeaderEnd(chunk: Buffer): Buffer {
    const piece = chunk.subarray(0, this.#emptyLine.endIn(chunk));
    this.bytes += piece.length;
    return piece;
  }

  /** The last piece ends at the end of a part header. */
  get isAtHeaderEnd(): boolean {
    return this.#emptyLine.found;
  }

  /** Call with all bytes up to here. @throws TypeError where they are not UTF-8. */
  pass(bytes: Buffer): void {
    this.#utf8.decode(bytes, { stream: true });
    if (this.isAtHeaderEnd) this.headerEnd = this.bytes;
  }
}
