import { onceAMinute, UpstreamError } from '@gateway/base';
import type { RestService } from '@gateway/rest-graph';
import type { Logger } from 'pino';

/** Logs what changes in the state of the service. */
export function logService({ upstream: { events, contract } }: RestService, logger: Logger): void {
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
  const logUnusable = onceAMinute((endpoint: string, { message, status }: UpstreamError) => {
    logger.warn({ endpoint, upstream_status: status }, `An answer cannot be used: ${message}`);
  });
  events.on('callEnd', ({ request: { endpoint } }, error) => {
    const isUnusable = error instanceof UpstreamError && error.code === 'UPSTREAM_INVALID_RESPONSE';
    if (isUnusable) logUnusable(endpoint, error);
  });
  events.on('dialectFound', (dialect) => logger.info({ dialect }, 'An answer has shown the dialect of the service'));
  events.on('dialectContradicted', (advice, dialects) => logger.warn(dialects, advice));
  events.on('claimsForgeable', () =>
    logger.error(
      `CALLER_CLAIMS is not used: the service answers GET ${proof.path} under a token with a wrong signature. Each key is a caller of its own, so that a write that is sent again under another token is made again`,
    ),
  );
}
