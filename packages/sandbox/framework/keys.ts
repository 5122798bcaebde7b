import { encodeId } from './ids.ts';
import { Crash } from './refusal.ts';
import type { Caller } from './session.ts';
import type { Store } from './store.ts';
import { readToken } from './tokens.ts';

/** The callers of the two keys. Seeds write their users and companies with these ids. */
export const coop: Caller = { user: encodeId(1), company: encodeId(1) };
export const buyer: Caller = { user: encodeId(4), company: encodeId(2) };

const callers = new Map([
  ['demo-coop', coop],
  ['demo-buyer', buyer],
]);

/**
 * The caller of a bare key, of `Bearer <key>` or of `Bearer <token>`; undefined for any other text.
 * @throws Crash for a good token without a user or a company, on which the real service fails.
 */
export function callerOf(authorization: string | undefined, store: Store): Caller | undefined {
  const [, key = authorization ?? ''] = /^Bearer (.*)$/.exec(authorization ?? '') ?? [];
  const known = callers.get(key);
  if (known || key === authorization) return known;
  const claims = readToken(key, 'access');
  if (!claims) return undefined;
  const { user_id: user, session_data } = claims;
  if (!user || !session_data) throw new Crash();
  if (!store.get('user', user)) return undefined;
  return { user, company: session_data.entity_id };
}
