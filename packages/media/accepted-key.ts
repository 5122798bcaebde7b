import type { Caller } from '@gateway/base';
import { type CallOrigin, keyRefused, newRequest, type Signal, type Upstream } from '@gateway/upstream';

/**
 * Resolves if the service accepts the key of the caller. Asks the service by the cheapest read where it has not answered for the key
 * yet. `client` aborts when nobody waits any more.
 * @throws UpstreamError UNAUTHENTICATED for a key that the service refuses, or has refused a moment ago.
 * @throws UpstreamError where the service does not answer the question.
 */
export async function requireAcceptedKey(upstream: Upstream, caller: Caller, client: AbortSignal): Promise<void> {
  const isAccepted = upstream.callers.isAccepted(caller);
  if (isAccepted === false) throw keyRefused(upstream.contract);
  if (isAccepted) return;
  const { endpoint, subject } = upstream.contract.keyProof;
  const path = upstream.paths.of(endpoint, subject);
  const signal: Signal = {
    due: Number.POSITIVE_INFINITY,
    sent: 0,
    add: (wait) => client.addEventListener('abort', () => wait.abort(client.reason)),
    hold: () => true,
  };
  const budget = { takeRetry: () => true };
  const origin: CallOrigin = { reason: 'token', fields: () => [] };
  await upstream.read(newRequest({ caller, endpoint, path, subject, origin, signal, budget }));
}
