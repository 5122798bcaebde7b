import type { Contract } from '@gateway/contract';
import type { RestService } from '@gateway/rest-graph';

/** The endpoints that give tokens, and the names of the service for what they take and answer. */
export interface TokenEndpoints {
  /** The dialect whose services have them. */
  onlyIn?: string | undefined;
  /** `device`: names the device that the tokens are for. */
  signIn: { path: string; username: string; password: string; device?: string | undefined };
  /** `claims`: properties of the body, each with the path of the claim of the refresh token that it is. */
  refresh: { path: string; token: string; claims: Readonly<Record<string, string>> };
  /** `seconds`: the life of the token. */
  answer: { token: string; refreshToken: string; seconds?: string | undefined };
}

/** Undefined where the contract declares none. */
export function endpointsIn({ data: { parts } }: Contract): TokenEndpoints | undefined {
  return parts['sign-in'] as TokenEndpoints | undefined;
}

/** How pages sign users in; undefined where they cannot. `callerClaims`: all tokens of a user are one caller. */
export function pageSignIn(service: RestService): { callerClaims: boolean } | undefined {
  return isDeclared(service) ? { callerClaims: service.callers.useClaims } : undefined;
}

/** The service may have the endpoints: the contract declares them, for the dialect that the settings name. */
export function isDeclared({ app, upstream }: RestService): boolean {
  const endpoints = endpointsIn(app.contract);
  if (!endpoints) return false;
  const { onlyIn } = endpoints;
  const { known } = upstream.dialect;
  return onlyIn === undefined || known === undefined || known === onlyIn;
}
