import { isObject, type Json } from '../lib/json.ts';
import type { CallerHeaders } from './caller.ts';

/** A claim that can name something. */
export type Claim = string | number | boolean;

/** The service takes a token after this very word, and might read another header for any other form. */
const bearer = /^Bearer [\w-]+\.([\w-]+)\.[\w-]*$/;

/** The most characters of a token with claims. A browser keeps no more in a cookie, so that tokens are shorter. */
const longestToken = 4_096;

/** The claims of each request's headers: every part of the gateway that needs claims reads the same. */
const parsed = new WeakMap<CallerHeaders, Json | undefined>();

/** The claims of a JSON Web Token. Anybody can make them up. Undefined for any other key. Parses the headers once. */
export function claimsOf(headers: CallerHeaders): Json | undefined {
  if (!parsed.has(headers)) parsed.set(headers, parse(headers.authorization ?? ''));
  return parsed.get(headers);
}

function parse(authorization: string): Json | undefined {
  if (authorization.length > longestToken) return undefined;
  const [, payload] = bearer.exec(authorization) ?? [];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString(), exact);
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the digits of a number that JavaScript would round: the numbers of two users could become one. */
function exact(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? context?.source : value;
}

/** The claim at a path like `session_data.entity_id`; undefined where there is none, or an object. */
export function claimAt(claims: Json | undefined, path: string): Claim | undefined {
  let value: unknown = claims;
  for (const name of path.split('.')) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
