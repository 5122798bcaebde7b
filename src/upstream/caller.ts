import { hash } from 'node:crypto';

/** Headers that go upstream as the client sent them; above all `authorization`. */
export type CallerHeaders = Readonly<Record<string, string>>;

/** Who asks: what one caller is answered is told to no other. */
export interface Caller {
  /** What goes upstream as the client sent it, and says who asks. */
  headers: CallerHeaders;
  /** All that goes upstream: also what names this one request, whoever shares what it reads. */
  sent: CallerHeaders;
  /** Digest of the key. */
  keyDigest: string;
  /** Digest of all the headers: the service may answer in another language, or another tenant, for each. */
  digest: string;
}

/** Digests, so that what is kept between requests holds no key that anybody could use. */
export function callerOf(headers: CallerHeaders, ofRequest?: CallerHeaders): Caller {
  const { authorization = '', ...others } = headers;
  const entries = Object.entries(others);
  const keyDigest = digestOf(authorization);
  const rest = entries.length === 0 ? 'key alone' : digestOf(JSON.stringify(entries.sort()));
  return {
    headers,
    sent: { ...headers, ...ofRequest, accept: 'application/json' },
    keyDigest,
    digest: `${keyDigest} ${rest}`,
  };
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
