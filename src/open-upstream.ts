import { type MemoryShare, onceAMinute } from '@gateway/base';
import type { MediaFiles } from '@gateway/media';
import { type Contract, type OtherProcesses, type ServiceCosts, Upstream } from '@gateway/rest-graph';
import type { Logger } from 'pino';
import type { Config } from './config.ts';

interface UpstreamParts {
  contract: Contract;
  url: string;
  /** For the answers of the service. */
  answers: MemoryShare;
  costs: ServiceCosts | undefined;
  serviceClock: (() => number) | undefined;
  others: OtherProcesses;
  logger: Logger;
}

/** The service as the settings describe it. Logs the changes of its state. */
export function openUpstream(
  config: Config,
  { contract, url, answers, costs, serviceClock, others, logger }: UpstreamParts,
): Upstream {
  const upstream = new Upstream({
    contract,
    ...config.upstream,
    sends: { filter_by: config.upstream.productTransactionsFilterBy },
    timeouts: { ...config.upstream.timeouts, queueMs: config.limits.operations.queueTimeoutMs },
    bodyLimits: { maxBytes: config.upstream.answerBytes, share: answers },
    url,
    mediaUrl: config.media.url,
    retries: config.retries,
    circuitBreaker: config.circuitBreaker,
    cache: config.cache,
    costs,
    serviceClock,
    others,
  });
  logEvents(upstream, logger);
  return upstream;
}

function logEvents({ events, contract }: Upstream, logger: Logger): void {
  const proof = contract.endpoint(contract.keyProof.endpoint);
  events.on('circuitOpen', (endpoint, cause) => {
    const why = typeof cause === 'number' ? { upstream_status: cause } : { err: cause };
    logger.warn({ endpoint, ...why }, 'The service fails here: nothing is sent but probes, until it answers');
  });
  events.on('circuitClose', () => logger.info('The service answers again'));
  const logUnreachable = onceAMinute((reason: string, err: Error) => {
    logger.warn({ err }, `The service cannot be reached: ${reason}`);
  });
  events.on('unreachable', logUnreachable);
  events.on('dialectFound', (dialect) => logger.info({ dialect }, 'An answer has shown the dialect of the service'));
  events.on('dialectContradicted', ({ configured, known, seen, advice }) => {
    logger.warn({ configured, used: known, seen }, advice);
  });
  events.on('claimsForgeable', () =>
    logger.error(
      `CALLER_CLAIMS is not used: the service answers GET ${proof.path} under a token with a wrong signature. Each key is a caller of its own, so that a write that is sent again under another token is made again`,
    ),
  );
}

/** Loads all of undici, which only a gateway that serves files needs. */
export async function openMedia(
  contract: Contract,
  upstreamUrl: string,
  { media, upstream, limits }: Config,
): Promise<MediaFiles> {
  const { MediaFiles } = await import('@gateway/media');
  const { connectMs, readMs } = upstream.timeouts;
  return new MediaFiles(contract, new URL(upstreamUrl).origin, {
    running: media.running,
    timeouts: { connectMs, readMs, queueMs: limits.operations.queueTimeoutMs },
  });
}
