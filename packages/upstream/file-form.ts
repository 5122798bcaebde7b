import { type Hash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

export interface UploadedFile {
  filename: string;
  /** Not trusted: the gateway sends anything but a media type as application/octet-stream. */
  mimetype: string;
  stream: Readable;
  /** Bytes: between `min` and `max`, which are equal when the size is exact. */
  size: { min: number; max: number };
  /** Hashes the bytes that are sent. */
  content?: Hash;
}

export interface FileForm {
  headers: { 'content-type': string; 'content-length': string };
  /**
   * For one request. Ends only after the whole file. Throws the errors of the stream. A file of another size than announced is
   * an Error, so that its request is never whole.
   */
  body: AsyncIterable<Uint8Array>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const mediaType = new RegExp(`^${token}/${token}$`);

/**
 * A multipart/form-data body with one part, `name`, that streams the file. It always has a Content-Length: Django sees no
 * file in a chunked request. A file may be shorter than its largest size. Bytes after the closing boundary then
 * fill the difference: parsers ignore this epilogue (RFC 2046, 5.1.1).
 */
export function fileForm(name: string, { filename, mimetype, stream, size, content }: UploadedFile): FileForm {
  const boundary = `----${name}-${randomBytes(18).toString('base64url')}`;
  const head = Buffer.from(
    `--${boundary}\r\n` +
      `Content-Disposition: form-data; name="${name}"; filename="${quotable(filename || name)}"\r\n` +
      `Content-Type: ${mediaType.test(mimetype) ? mimetype : 'application/octet-stream'}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);

  async function* body() {
    let sent = 0;
    yield head;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sent += chunk.length;
      if (sent > size.max) throw new Error(`The file is longer than the ${size.max} bytes announced.`);
      content?.update(chunk);
      yield chunk;
    }
    if (sent < size.min) throw new Error(`The file ended after ${sent} of at least ${size.min} bytes.`);
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

/** Quotes as browsers do, and also other control characters. For Django a part without a name is no file. */
function quotable(filename: string): string {
  return filename.replace(/["\p{Cc}]/gu, encodeURIComponent);
}
