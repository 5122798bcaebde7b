import { defineConfig } from 'vitest/config';

const gateway = new URL(process.env.GATEWAY_URL ?? 'http://127.0.0.1:4000/graphql');

export default defineConfig({
  // The page reaches the gateway at its own origin, here and in production: then no CORS_ORIGINS need be listed there.
  server: { proxy: { '/graphql': gateway.origin } },
  // A busy machine takes seconds for a page that waits for two answers.
  test: { environment: 'jsdom', testTimeout: 30_000 },
});
