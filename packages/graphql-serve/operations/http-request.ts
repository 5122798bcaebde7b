import type { IncomingHttpHeaders } from 'node:http';

/** A request of GraphQL over HTTP, whose body has been read and parsed. */
export interface GraphQLHttpRequest {
  method: string;
  /** By name in lower case. */
  headers: IncomingHttpHeaders;
  /** With its question mark, or empty. */
  search: string;
  /** Undefined for GET. */
  body: unknown;
}

export interface GraphQLHttpResponse {
  status: number;
  headers: Iterable<readonly [string, string]>;
  /** Bytes of a long answer. */
  body: string | Buffer;
}
