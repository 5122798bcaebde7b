import { gunzip, type Zlib } from 'node:zlib';
import { badRequest } from '@gateway/base';
import { bodyTooLarge } from './body.ts';

/** Bytes of the smallest gzip file: a header of 10, an empty block, and a trailer of 8. */
const smallest = 20;
const magic = 0x1f8b;
/** Deflate makes no more bytes of one. */
const mostOfOne = 1_032;

/**
 * Unpacks a body in another thread. A gzip file ends with the size of its content. The gateway refuses a large one unread,
 * and reads no more content than the file claims.
 * @throws PAYLOAD_TOO_LARGE (413) for more than `maxBytes`.
 * @throws BAD_REQUEST (400) for a body that is not one whole gzip file with nothing behind it.
 */
export function unpack(packed: Buffer, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (packed.length < smallest || packed.readUInt16BE() !== magic) return reject(notWhole());
    const size = packed.readUInt32LE(packed.length - 4);
    if (size > mostOfOne * packed.length) return reject(notWhole());
    if (size > maxBytes) return reject(bodyTooLarge());
    // One byte more, so that the whole content fits into the first chunk.
    const options = { chunkSize: Math.max(64, size + 1), maxOutputLength: Math.max(1, size), info: true };
    gunzip(packed, options, (error, result) => {
      if (error) return reject(notWhole());
      // The types of Node do not know what the option `info` gives.
      const { buffer, engine } = result as unknown as { buffer: Buffer; engine: Zlib };
      // zlib ignores bytes behind the end of the file.
      const isWhole = buffer.length === size && engine.bytesWritten === packed.length;
      return isWhole ? resolve(buffer) : reject(notWhole());
    });
  });
}

const notWhole = () => badRequest('The body is not one whole gzip file.');
