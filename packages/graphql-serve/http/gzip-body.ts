import { gunzip, type Zlib } from 'node:zlib';
import { badRequest } from '@gateway/base';
import { bodyTooLarge } from './body.ts';

/**
 * Unpacks a body in another thread.
 * @throws PAYLOAD_TOO_LARGE (413) for more than `maxBytes`.
 * @throws BAD_REQUEST (400) for a body that is not gzip to its end.
 */
export function unpack(packed: Buffer, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(packed, { maxOutputLength: maxBytes, info: true }, (error, result) => {
      if (error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return reject(bodyTooLarge(maxBytes));
      if (error) return reject(notWhole());
      // The types of Node do not know what the option `info` gives.
      const { buffer, engine } = result as unknown as { buffer: Buffer; engine: Zlib };
      // zlib ignores bytes behind the end of the file.
      return engine.bytesWritten === packed.length ? resolve(buffer) : reject(notWhole());
    });
  });
}

const notWhole = () => badRequest('The body is not gzip to its end.');
