import { encodeId } from './ids.ts';
import type { Caller } from './session.ts';

/** The callers of the two keys. Seeds write their users and companies with these ids. */
export const coop: Caller = { user: encodeId(1), company: encodeId(1) };
export const buyer: Caller = { user: encodeId(4), company: encodeId(2) };

const callers = new Map([
  ['demo-coop', coop],
  ['demo-buyer', buyer],
]);

/** The caller of a bare key or of `Bearer <key>`; undefined for any other text. */
export function callerOf(authorization: string | undefined): Caller | undefined {
  return callers.get((authorization ?? '').replace(/^Bearer /, ''));
}
