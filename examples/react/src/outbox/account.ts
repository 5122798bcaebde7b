import { callerOf } from './caller.ts';

/** A name for the caller, who owns an outbox. */
export async function accountOf(authorization: string): Promise<string> {
  const caller = new TextEncoder().encode(callerOf(authorization));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', caller));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
