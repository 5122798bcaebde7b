import { Observable } from './observable.ts';

/** Headers that the page sends with each operation. sessionStorage holds them until the browser tab is closed. */

const storageKeys = { key: 'gateway:key', idempotency: 'gateway:idempotency' };

const config: { keyHeader?: string; demoKey?: string; pace?: string; signIn?: { callerClaims: boolean } } = JSON.parse(
  document.getElementById('graphiql-config')?.textContent || '{}',
);

/** The header of the API key. */
export const keyHeader = config.keyHeader ?? 'Authorization';

/** The sandbox's key, which the gateway offers to every visitor; empty over a real service. */
export const demoKey = config.demoKey ?? '';

/** The pace of the sandbox; undefined where the page cannot change it. */
export const pace = new Observable(config.pace);

/** How users sign in; undefined where the service gives no tokens. */
export const signInRules = config.signIn;

/** The API key; empty sends none. */
export const apiKey = stored(storageKeys.key, demoKey);

/** `yes`: each mutation that is run gets an Idempotency-Key of its own. */
export const newIdempotencyKeys = stored(storageKeys.idempotency, '');

function stored(key: string, initial: string): Observable<string> {
  const value = new Observable(sessionStorage.getItem(key) ?? initial);
  // An empty value is stored too, so that a reload does not bring back the demo key.
  value.subscribe(() => sessionStorage.setItem(key, value.get()));
  return value;
}

/** 128 random bits. `crypto.randomUUID` exists only where the page came by https or from this machine. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
