/** The claims of a token that make a caller: the same as in the gateway's setting CALLER_CLAIMS. */
const callerClaims = ['user_id', 'session_data.entity_id', 'session_data.member_type'];

/**
 * A name for the caller, who owns an outbox. A new token of the same caller gives the same name.
 * An opaque key gives a name of its own.
 */
export async function accountOf(authorization: string): Promise<string> {
  const caller = new TextEncoder().encode(claimsOf(authorization) ?? authorization);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', caller));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function claimsOf(authorization: string): string | undefined {
  const [, payload] = /^Bearer [\w-]+\.([\w-]+)\./.exec(authorization) ?? [];
  if (!payload) return undefined;
  try {
    const token: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const claims = callerClaims.map((path) => path.split('.').reduce(member, token));
    return claims.includes(undefined) ? undefined : JSON.stringify(claims);
  } catch {
    // An opaque key may have dots too.
    return undefined;
  }
}

const member = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null | undefined)?.[name];
