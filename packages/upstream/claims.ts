import { type Caller, isObject, type Json } from '@gateway/base';
import type { ContractData } from '@gateway/contract';

/** The service takes a token after this very word, and might read another header for any other form. */
const bearer = /^Bearer [\w-]+\.([\w-]+)\.[\w-]*$/;

/** The most characters of a token with claims. A browser keeps no more in a cookie, so that tokens are shorter. */
const longestToken = 4_096;

/** A key, and the headers that it came with. */
type Keyed = Pick<Caller, 'key' | 'headers'>;

/** The claims by each request's headers: every part of the gateway that needs claims reads the same. */
const parsed = new WeakMap<Keyed['headers'], Json | undefined>();

/** The claims of a JSON Web Token, each as a text of JSON. Anybody can make them up. Undefined for any other key. Parses a key once. */
export function claimsOf({ key, headers }: Keyed): Json | undefined {
  if (!parsed.has(headers)) parsed.set(headers, parse(key));
  return parsed.get(headers);
}

/** The claims of a token that somebody has signed in with. Undefined under another scheme, and for any other key. */
export function signInClaimsOf(caller: Keyed, { signIn }: ContractData['key']): Json | undefined {
  const scheme = signIn && caller.headers[signIn.header];
  return scheme === undefined || scheme === signIn?.value ? claimsOf(caller) : undefined;
}

function parse(key: string): Json | undefined {
  if (key.length > longestToken) return undefined;
  const [, payload] = bearer.exec(key) ?? [];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString(), asText);
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Texts of JSON keep every digit, and a number differs from a string: no two users become one. */
function asText(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number') return context?.source;
  return typeof value === 'string' || typeof value === 'boolean' ? JSON.stringify(value) : value;
}

/** The claim at a path like `session.tenant_id`, as a text of JSON; undefined where there is none, or an object. */
export function claimAt(claims: Json | undefined, path: string): string | undefined {
  let value: unknown = claims;
  for (const name of path.split('.')) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/**
 * The key with another signature. Equal to the key where it has no signature: a service that accepts such a key checks none.
 * The key has to be a JSON Web Token.
 */
export function withOtherSignature(key: string): string {
  const start = key.lastIndexOf('.') + 1;
  if (start === key.length) return key;
  // A decoder may ignore bits of the last character, and none of the first.
  const first = key[start] === 'A' ? 'B' : 'A';
  return key.slice(0, start) + first + key.slice(start + 1);
}
