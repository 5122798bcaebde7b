import { encodeId } from './ids.ts';
import type { Caller } from './session.ts';

/** The callers of the two keys. The seed puts their users and companies first in their tables. */
export const coop: Caller = { user: encodeId(1), company: encodeId(1) };
export const buyer: Caller = { user: encodeId(4), company: encodeId(2) };

const callers = new Map([
  ['demo-coop', coop],
  ['demo-buyer', buyer],
]);

/** Takes the bare key of the specification and `Bearer <key>`. */
export function callerOf(authorization: string | undefined): Caller | undefined {
  return callers.get((authorization ?? '').replace(/^Bearer /, ''));
}
