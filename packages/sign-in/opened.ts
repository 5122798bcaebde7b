import type { Service } from '@gateway/rest-graph';
import type { SignIn } from './sign-in.ts';

const opened = new WeakMap<Service, SignIn>();

/** The route and the fields of one service share the bounds of attempts. */
export function setSignIn(service: Service, signIn: SignIn): void {
  opened.set(service, signIn);
}

/** Undefined where the service has no endpoints that give tokens. */
export function signInOf(service: Service): SignIn | undefined {
  return opened.get(service);
}
