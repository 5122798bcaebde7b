import { hash } from 'node:crypto';

/** Headers that go upstream as the client sent them; above all `authorization`. */
export type CallerHeaders = Readonly<Record<string, string>>;

/** The origin of a request: no answer for one caller is shown to another. */
export interface Caller {
  /** The headers that make two callers differ. */
  headers: CallerHeaders;
  /** All headers of a call, with the id and the trace context of the request. */
  sent: CallerHeaders;
  /** Digest of `authorization`. */
  tokenDigest: string;
  /** Digest of the claims that make the caller; else `tokenDigest`. */
  keyDigest: string;
  /** Digest of the key and the other headers: the service may answer in another language, or another tenant, for each. */
  digest: string;
  /** Claims make callers, but the service has not accepted this key with these headers yet. */
  isUnknown: boolean;
}

/** The digests stand for the key in caches, so that no cache holds a usable key. */
export function callerOf(headers: CallerHeaders, ofRequest?: CallerHeaders): Caller {
  const { authorization = '', ...others } = headers;
  const entries = Object.entries(others);
  const tokenDigest = digestOf(authorization);
  const rest = entries.length === 0 ? 'key alone' : digestOf(JSON.stringify(entries.sort()));
  return {
    headers,
    sent: { ...headers, ...ofRequest, accept: 'application/json' },
    tokenDigest,
    keyDigest: tokenDigest,
    digest: `${tokenDigest} ${rest}`,
    isUnknown: false,
  };
}

export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
