import { defaultUpstream } from '@gateway/upstream';
import type { ServiceOptions } from './service.ts';

type Defaults = Pick<ServiceOptions, 'limits'> & { upstream: Omit<ServiceOptions['upstream'], 'url'> };

const MiB = 2 ** 20;

/** Options for a process with 1 GiB of memory and a core of its own. The service adds its URL and the records of its writes. */
export const defaultOptions: Defaults = {
  upstream: { ...defaultUpstream, answerBytes: 8 * MiB, answersBytes: 128 * MiB },
  limits: {
    timeoutMs: 25_000,
    pageSize: 1_000,
    upstreamCalls: 500,
    cost: 50_000,
    objects: 100_000,
    answerBytes: 32 * MiB,
    memoryBytes: 256 * MiB,
  },
};
