import { hash } from 'node:crypto';

/** Headers that go upstream as the client sent them; above all that of the key. */
export type CallerHeaders = Readonly<Record<string, string>>;

/** The origin of a request: no answer for one caller is shown to another. */
export interface Caller {
  /** The API key; empty without one. */
  key: string;
  /** The headers that make two callers differ. */
  headers: CallerHeaders;
  /** All headers of a call, with the id and the trace context of the request. */
  sent: CallerHeaders;
  /** Digest of `key`. */
  tokenDigest: string;
  /** Digest of the claims that make the caller; else `tokenDigest`. */
  keyDigest: string;
  /** Digest of the key and the other headers: the service may answer in another language, or another tenant, for each. */
  digest: string;
  /** Claims make callers, but the service has not accepted this key with these headers yet. */
  isUnknown: boolean;
  /** Callers of one share take turns as one caller: `keyDigest` once the service has accepted the key. */
  share: string;
}

/** The share of requests without a key, and of keys that the service has refused. */
export const strangers = 'strangers';
/** The share of keys that the service has not seen. Made-up keys get no more than one caller. */
export const newcomers = 'newcomers';

/** The digests stand for the key in caches, so that no cache holds a usable key. */
export function callerOf(headers: CallerHeaders, keyHeader: string): Caller {
  const { [keyHeader]: key = '' } = headers;
  const entries = Object.entries(headers).filter(([name]) => name !== keyHeader);
  const tokenDigest = digestOf(key);
  const rest = entries.length === 0 ? 'key alone' : digestOf(JSON.stringify(entries.sort()));
  return {
    key,
    headers,
    sent: sentHeaders(headers),
    tokenDigest,
    keyDigest: tokenDigest,
    digest: `${tokenDigest} ${rest}`,
    isUnknown: false,
    share: key === '' ? strangers : tokenDigest,
  };
}

export function sentHeaders(headers: CallerHeaders, ofRequest?: CallerHeaders): CallerHeaders {
  return { ...headers, ...ofRequest, accept: 'application/json' };
}

export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
