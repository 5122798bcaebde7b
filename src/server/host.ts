import type { IncomingMessage } from 'node:http';
import { codedError } from '../graphql/errors/codes.ts';

const validHost = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=-]*)(:\d*)?$/i;

/**
 * Throws BAD_REQUEST (400) for a Host that RFC 9112 (section 3.2) refuses. The gateway makes no use of it, but whoever
 * stands before it may, and read another one.
 */
export function requireHost({ headers: { host }, httpVersion, rawHeaders }: IncomingMessage): void {
  if (host === undefined) {
    if (httpVersion === '1.0') return;
    throw codedError('BAD_REQUEST', 'The Host header is missing.', { http: { status: 400 } });
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 1 && validHost.test(host)) return;
  throw codedError('BAD_REQUEST', 'The Host header is not valid.', { http: { status: 400 } });
}
