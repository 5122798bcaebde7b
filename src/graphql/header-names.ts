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
export const clientVersionHeaders = [
  'apollographql-client-version',
  'x-graphql-client-version',
  'graphql-client-version',
];
