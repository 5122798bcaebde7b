/** A request with one of these headers cannot come from another site's form without the browser asking first. */
export const csrfHeaders = ['apollo-require-preflight', 'x-apollo-operation-name'];

/**
 * `true` asks for `extensions.upstream`: the calls of the service that the operation made. `estimate` asks for what they
 * would cost, and runs nothing.
 */
export const traceHeader = 'x-trace-upstream';

/** Names the request, so that its writes are made once however often the request is sent. */
export const idempotencyHeader = 'idempotency-key';

/** The headers in which clients of Apollo and of Hive name the app. Other clients send what their app sets. */
export const clientNameHeaders = ['apollographql-client-name', 'x-graphql-client-name', 'graphql-client-name'];
export const clientVersionHeaders = clientNameHeaders.map((name) => name.replace('name', 'version'));

/**
 * The most characters of a header that the gateway parses. Browsers send 300 in their longest list. A parser takes a
 * quarter of a millisecond for this length. Node lets 16 kB through.
 */
export const longestParsedHeader = 1_000;

/** The headers that the gateway parses. It compares, forwards or hashes the others, and reads the first characters of some. */
export const parsedHeaders = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-type',
  'if-none-match',
  traceHeader,
] as const;
