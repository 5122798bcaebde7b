import type { IncomingMessage } from 'node:http';
import type { Contract } from '../contract/contract.ts';
import { badRequest } from '../errors/refusals.ts';
import { longestParsedHeader, parsedHeaders } from '../request/header-names.ts';

const validHost = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=-]*)(:\d*)?$/i;

/**
 * Refuses headers that a proxy before the gateway may read in another way, and headers that take long to parse.
 * @throws BAD_REQUEST (400; 431 for a header that is too long)
 */
export function requireValidHeaders(request: IncomingMessage, contract: Contract): void {
  requireHost(request);
  // Node would take the first key. A proxy may have checked the last one.
  if (countOf(contract.keyHeader, request) > 1) {
    throw badRequest(`The ${contract.data.key.header} header comes more than once.`);
  }
  // RFC 9112 (section 6.1): the framing of such a request is faulty.
  if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined) {
    throw badRequest('A request of HTTP/1.0 has no Transfer-Encoding.');
  }
  for (const name of parsedHeaders) {
    if ((request.headers[name]?.length ?? 0) <= longestParsedHeader) continue;
    throw badRequest(`The header ${name} is longer than ${longestParsedHeader} characters.`, 431);
  }
}

/** RFC 9112 (section 3.2). The gateway does not use the header, but a proxy may read another host from it. */
function requireHost(request: IncomingMessage): void {
  const { host } = request.headers;
  if (host === undefined) {
    if (request.httpVersion === '1.0') return;
    throw badRequest('The Host header is missing.');
  }
  if (countOf('host', request) !== 1 || !validHost.test(host)) throw badRequest('The Host header is not valid.');
}

function countOf(header: string, { rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === header.length && name.toLowerCase() === header) count += 1;
  }
  return count;
}
