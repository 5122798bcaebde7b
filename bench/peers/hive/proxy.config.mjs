import { defineConfig } from '@graphql-hive/gateway';

/** For one-trace.ts: passes the key on. */
export const gatewayConfig = defineConfig({
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get('authorization') ?? '' }),
  },
});
