import type { IncomingMessage } from 'node:http';
import { codedError } from '../graphql/errors/codes.ts';
import { longestParsedHeader, parsedHeaders } from '../graphql/header-names.ts';

/** Refuses a header that would take long to parse. @throws BAD_REQUEST (431) */
export function requireShortHeaders({ headers }: IncomingMessage): void {
  for (const name of parsedHeaders) {
    if ((headers[name]?.length ?? 0) <= longestParsedHeader) continue;
    const message = `The header ${name} is longer than ${longestParsedHeader} characters.`;
    throw codedError('BAD_REQUEST', message, { http: { status: 431 } });
  }
}
