import { defineConfig } from 'vite';

const gateway = new URL(process.env.GATEWAY_URL ?? 'http://127.0.0.1:4000/graphql');

export default defineConfig({
  // The gateway sends no CORS headers: the page reaches it at its own origin, here and in production.
  server: { proxy: { '/graphql': gateway.origin } },
});
