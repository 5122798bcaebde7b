/** The claims of a token that make a caller: the same as in the gateway's setting CALLER_CLAIMS. */
const callerClaims = ['user_id', 'session_data.entity_id', 'session_data.member_type'];

/** A text for the caller. A new token of the same caller gives the same text. An opaque key gives one of its own. */
export const callerOf = (authorization: string): string => claimsOf(authorization) ?? authorization;

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
