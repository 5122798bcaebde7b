import { METHODS } from 'node:http';

/** Node 20 does not parse QUERY. */
const hasQuery = METHODS.includes('QUERY');

/** The methods of the path of GraphQL. */
export const methods = hasQuery ? 'GET, POST, QUERY' : 'GET, POST';

/** The media types of their bodies. `Accept-Query` is of RFC 10008. */
export const acceptedTypes = {
  'accept-post': 'application/json, multipart/form-data',
  ...(hasQuery && { 'accept-query': 'application/json' }),
};

/** A query or a mutation comes in the body. */
export function hasOperation(method: string | undefined): boolean {
  return method === 'POST' || method === 'QUERY';
}
