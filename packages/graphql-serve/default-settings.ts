import type { ServeSettings } from './settings.ts';

const MiB = 2 ** 20;

/** Settings for a process with 1 GiB of memory and a core of its own. */
export const defaultSettings: ServeSettings = {
  server: { host: '127.0.0.1', port: 4_000, workers: 1, compression: 'on' },
  limits: {
    documents: {
      tokens: 2_000,
      depth: 10,
      fields: 1_000,
      fieldsPerObject: 120,
      rootFields: 20,
      aliases: 30,
      directives: 20,
      directivesPerNode: 4,
    },
    operations: { running: 200, queued: 400, perCaller: 400, queueTimeoutMs: 5_000, answerBytes: 32 * MiB },
    clients: {
      connections: 5_000,
      bodyBytes: MiB / 4,
      bodiesBytes: 64 * MiB,
      answersBytes: 128 * MiB,
      headersTimeoutMs: 10_000,
      bodyTimeoutMs: 15_000,
      responseTimeoutMs: 60_000,
      minBytesPerSecond: 1_000,
    },
    uploads: {
      timeoutMs: 300_000,
      idleTimeoutMs: 15_000,
      minBytesPerSecond: 1_000,
      running: 100,
      fileBytes: 20 * MiB,
      spooledBytes: 512 * MiB,
    },
  },
  cache: { documents: { maxBytes: 64 * MiB } },
  graphql: { introspection: true },
  upstream: { forwardHeaders: ['accept-language'] },
  shutdown: { delayMs: 0, timeoutMs: 25_000 },
};
