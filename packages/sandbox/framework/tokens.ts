import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Caller } from './session.ts';

/** Signs tokens. It is public, as the keys are: everybody can be any user of the sandbox. */
export const tokenSecret = 'sandbox';

/** The life of an access token, as in the older version of the real service. */
export const accessSeconds = 300;
const refreshSeconds = 86_400;

/** The claims of a token, as the real service makes them. Times are unix seconds. */
export interface TokenClaims {
  token_type: 'access' | 'refresh';
  exp: number;
  jti: string;
  user_id?: string;
  session_data?: { user_id: string; entity_id: string; member_type: string; device: string };
}

export interface TokenOptions {
  type?: TokenClaims['token_type'];
  memberType?: string;
  device?: string;
  /** The life of an access token. */
  seconds?: number | undefined;
}

export function claimsFor({ user, company }: Caller, options: TokenOptions = {}): TokenClaims {
  const { type = 'access', memberType = 'ADMIN', device = 'phone', seconds = accessSeconds } = options;
  return {
    token_type: type,
    exp: Math.floor(Date.now() / 1000) + (type === 'access' ? seconds : refreshSeconds),
    jti: randomUUID(),
    user_id: user,
    session_data: { user_id: user, entity_id: company, member_type: memberType, device },
  };
}

/** A JSON Web Token with an HMAC of SHA-256. */
export function signToken(claims: object, secret = tokenSecret): string {
  const content = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${content}.${signatureOf(content, secret).toString('base64url')}`;
}

/** The claims of a token that has not expired; undefined for any other text. */
export function readToken(token: string, type: TokenClaims['token_type']): TokenClaims | undefined {
  const [header = '', payload = '', signature = '', ...others] = token.split('.');
  const expected = signatureOf(`${header}.${payload}`, tokenSecret);
  const sent = Buffer.from(signature, 'base64url');
  if (others.length > 0 || sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined;
  const { alg } = decoded(header) as { alg?: string };
  const claims = decoded(payload) as Partial<TokenClaims>;
  const isGood = alg === 'HS256' && claims.token_type === type && Number(claims.exp) * 1000 > Date.now();
  return isGood ? (claims as TokenClaims) : undefined;
}

function signatureOf(content: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(content).digest();
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) ?? {};
  } catch {
    return {};
  }
}
