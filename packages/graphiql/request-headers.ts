import { apiKey, keyHeader, newIdempotencyKeys, randomKey } from './session.ts';
import { signedIn } from './signed-in.ts';

export const traceHeader = 'X-Trace-Upstream';
export const idempotencyHeader = 'Idempotency-Key';

/** The headers of the page. Those of the headers editor override them. */
export function headersFor(given: Headers, isMutation = false): Headers {
  const headers = new Headers({ [traceHeader]: 'true' });
  if (apiKey.get() && !signedIn.get()) headers.set(keyHeader, apiKey.get());
  if (isMutation && newIdempotencyKeys.get()) headers.set(idempotencyHeader, randomKey());
  given.forEach((value, name) => {
    headers.set(name, value);
  });
  headers.set('Accept', 'application/json');
  return headers;
}
