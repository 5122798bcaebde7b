import type { UpstreamOptions } from './upstream.ts';

const MiB = 2 ** 20;

/** Options for a process with 1 GiB of memory and a core of its own. */
export const defaultUpstream: Omit<UpstreamOptions, 'url' | 'contract' | 'bodyLimits'> = {
  dialect: 'auto',
  connections: 1_024,
  connectionsPerCaller: 512,
  adaptiveConcurrency: true,
  timeouts: { readMs: 20_000, connectMs: 1_000, writeMs: 15_000, uploadIdleMs: 60_000, queueMs: 5_000 },
  retries: { max: 2, baseMs: 70, capMs: 2_000, share: 0.2 },
  circuitBreaker: { calls: 150, probeIntervalMs: 200, probeWaitMs: 40 },
  cache: { lists: { ttlMs: 30_000, maxLists: 1_000, maxBytes: 64 * MiB }, bodies: { maxBytes: 8 * MiB } },
};
