import { MIMEType } from 'node:util';
import { badRequest } from '@gateway/base';
import type { GraphQLError } from 'graphql';

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

/** Ends the header of a part. */
const emptyLine = '\r\n\r\n';

/** The part of a form before its file. */
export class FormHead {
  bytes = 0;
  /** The index after the last part header. */
  headerEnd = 0;
  /** The last piece ends at the end of a part header. */
  isAtHeaderEnd = false;
  /** The last bytes, as an empty line may be cut into chunks. */
  #tail = '';
  /** Throws on bytes that are not UTF-8, which busboy would read as another text. */
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });

  /** The chunk up to the end of the next part header. */
  upToHeaderEnd(chunk: Buffer): Buffer {
    const inSeam = (this.#tail + chunk.subarray(0, 3).toString('latin1')).indexOf(emptyLine);
    const start = inSeam < 0 ? chunk.indexOf(emptyLine) : inSeam - this.#tail.length;
    this.isAtHeaderEnd = inSeam >= 0 || start >= 0;
    const piece = this.isAtHeaderEnd ? chunk.subarray(0, start + emptyLine.length) : chunk;
    this.#tail = this.isAtHeaderEnd ? '' : (this.#tail + piece.subarray(-3).toString('latin1')).slice(-3);
    this.bytes += piece.length;
    return piece;
  }

  /** Call with all bytes up to here. @throws TypeError where they are not UTF-8. */
  pass(bytes: Buffer): void {
    this.#utf8.decode(bytes, { stream: true });
    if (this.isAtHeaderEnd) this.headerEnd = this.bytes;
  }
}

/** With the cause of a parser's error, as far as its message says. */
export function malformed(error?: unknown): GraphQLError {
  const inHeader = error instanceof Error && error.message === 'Malformed part header';
  return badRequest(inHeader ? 'The header of a part is malformed.' : 'The form is cut off or malformed.');
}
