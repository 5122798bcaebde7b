import { type ErrorCode, type FieldError, type Json, UpstreamError } from '@gateway/base';

/** The final result of a write. `file`: the SHA-256 digest of the file that was sent whole, in base64url. */
export type Outcome = ({ answer: Json } | Refusal) & { file?: string };

/** The right to make a write, until a time in milliseconds since 1970. */
export interface Lease {
  /** Another one for each claim. */
  token: string;
  until: number;
}

interface Refusal {
  code: ErrorCode;
  message: string;
  status?: number | undefined;
  fields?: FieldError[] | undefined;
  existing?: Json | undefined;
}

/** Errors after which the service may accept the same write. */
const transient: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'RATE_LIMITED', 'UPSTREAM_UNAVAILABLE']);

/** Undefined where the write may be sent again, because it never reached the service whole or was not let in. */
export function outcomeOf(error: unknown): Outcome | undefined {
  if (!(error instanceof UpstreamError)) return undefined;
  const { code, message, status, fields, existing } = error;
  // The configured address was wrong: another server answered, or redirected the call.
  const isElsewhere = code === 'UPSTREAM_INVALID_RESPONSE' && (status ?? 0) >= 300;
  const isAnswered = status !== undefined && !transient.has(code) && !isElsewhere;
  return isAnswered || code === 'OUTCOME_UNKNOWN' ? { code, message, status, fields, existing } : undefined;
}

/** The lease or the outcome in the text of a record. */
export function recordOf(text: string): Lease | Outcome {
  if (text.startsWith('{')) return JSON.parse(text);
  const [token = '', until] = text.split(' ');
  return { token, until: Number(until) };
}
