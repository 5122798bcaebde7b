import { openSession, SignInError } from '../../examples/sign-in/sign-in.ts';
import { Observable } from './observable.ts';
import { keyHeader, signInRules } from './session.ts';

/** The tokens are in the memory of this tab alone. Undefined where the service gives none. */
const session = signInRules && openSession({ url: window.location.href, ...signInRules });

/** The user who is signed in; empty where the key of the panel counts. */
export const signedIn = new Observable('');

export async function signIn(username: string, password: string): Promise<void> {
  await session?.signIn(username, password);
  signedIn.set(username);
}

export function signOut(): void {
  session?.signOut();
  signedIn.set('');
}

/** Sends a request under the token of the user who is signed in, unless the request has a key. */
export async function sendSignedIn(input: string, init: RequestInit): Promise<Response> {
  if (!session || !signedIn.get() || new Headers(init.headers).has(keyHeader)) return fetch(input, init);
  try {
    return await session.fetch(input, init);
  } catch (error) {
    if (error instanceof SignInError && error.code === 'UNAUTHENTICATED') signOut();
    throw error;
  }
}
