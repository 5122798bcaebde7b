import { type Hash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

export interface InvoiceFile {
  filename: string;
  /** Not trusted: what is not a media type is sent as application/octet-stream. */
  mimetype: string;
  stream: Readable;
  /** Bytes: between `min` and `max`, which are equal when the size is exact. */
  size: { min: number; max: number };
  /** Takes in what is sent of the file. */
  content?: Hash;
}

export interface InvoiceForm {
  headers: { 'content-type': string; 'content-length': string };
  /** To be sent once. It ends only when the whole file has gone through; it throws what the stream throws, or FileSizeError. */
  body: AsyncIterable<Uint8Array>;
}

/** The file did not have as many bytes as announced. The request that was to carry it must not be completed. */
export class FileSizeError extends Error {
  override name = 'FileSizeError';
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const mediaType = new RegExp(`^${token}/${token}$`);

/**
 * A multipart/form-data body with one part, `invoice`, that streams the file. It always has a Content-Length, because
 * Django sees no file in a chunked request. Where the file turns out shorter than it may be, the difference is made up
 * after the closing boundary: an epilogue, which parsers ignore (RFC 2046, 5.1.1).
 */
export function invoiceForm({ filename, mimetype, stream, size, content }: InvoiceFile): InvoiceForm {
  const boundary = `----invoice-${randomBytes(18).toString('base64url')}`;
  const head = Buffer.from(
    `--${boundary}\r\n` +
      `Content-Disposition: form-data; name="invoice"; filename="${quotable(filename)}"\r\n` +
      `Content-Type: ${mediaType.test(mimetype) ? mimetype : 'application/octet-stream'}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);

  async function* body() {
    let sent = 0;
    yield head;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sent += chunk.length;
      if (sent > size.max) throw new FileSizeError(`The file is longer than the ${size.max} bytes announced.`);
      content?.update(chunk);
      yield chunk;
    }
    if (sent < size.min) throw new FileSizeError(`The file ended after ${sent} of at least ${size.min} bytes.`);
    yield tail;
    if (sent < size.max) yield Buffer.alloc(size.max - sent, '\r\n');
  }

  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + size.max + tail.length),
    },
    body: body(),
  };
}

/** As browsers quote a file name, and every other control character too. A part without a name is no file for Django. */
function quotable(filename: string): string {
  return (filename || 'invoice').replace(/["\p{Cc}]/gu, encodeURIComponent);
}
