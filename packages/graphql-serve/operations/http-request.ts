import type { IncomingHttpHeaders } from 'node:http';

/** A request of GraphQL over HTTP, whose body has been read and parsed. */
export interface GraphQLHttpRequest {
  method: 'GET' | 'POST' | 'QUERY';
  /** By name in lower case. */
  headers: IncomingHttpHeaders;
  /** With its question mark, or empty. */
  search: string;
  /** Undefined for GET alone. */
  body: unknown;
}

export interface GraphQLHttpResponse {
  status: number;
  headers: Iterable<readonly [string, string]>;
  /** Bytes of a long answer. */
  body: string | Buffer;
}
