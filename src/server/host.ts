import type { IncomingMessage } from 'node:http';
import { codedError } from '../graphql/errors/codes.ts';

const validHost = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=-]*)(:\d*)?$/i;

/**
 * Refuses a Host by RFC 9112 (section 3.2). The gateway does not use the header, but a proxy may read another host from it.
 * @throws BAD_REQUEST (400)
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
