import { encodeId } from './ids.ts';
import type { Caller } from './session.ts';

/** API keys, and for whom each one calls. The seed puts these users and companies first in their tables. */
const callers = new Map<string, Caller>([
  ['demo-coop', { user: encodeId(1), company: encodeId(1) }],
  ['demo-buyer', { user: encodeId(4), company: encodeId(2) }],
]);

/** Takes the bare key of the specification and `Bearer <key>`. */
export function callerOf(authorization: string | undefined): Caller | undefined {
  return callers.get((authorization ?? '').replace(/^Bearer /, ''));
}
