import { Observable } from './observable.ts';

/** What the page sends with each operation. It lives in sessionStorage: in this browser tab, until that is closed. */

const storageKeys = { authorization: 'gateway:authorization', idempotency: 'gateway:idempotency' };

const { headers }: { headers: Record<string, string> } = JSON.parse(
  document.getElementById('graphiql-config')?.textContent || '{"headers":{}}',
);

/** The key that the gateway offers to everybody; empty over a real service. */
export const demoKey = headers.Authorization ?? '';

/** Value of the Authorization header; empty sends none. */
export const authorization = stored(storageKeys.authorization, demoKey);

/** `yes`: each mutation that is run gets an Idempotency-Key of its own. */
export const newIdempotencyKeys = stored(storageKeys.idempotency, '');

function stored(key: string, initial: string): Observable<string> {
  const value = new Observable(sessionStorage.getItem(key) ?? initial);
  // An emptied value is stored too: after a reload the demo key must not be back.
  value.subscribe(() => sessionStorage.setItem(key, value.get()));
  return value;
}

/** 128 random bits. `crypto.randomUUID` exists only where the page came by https or from this machine. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
