import { isObject } from '../lib/json.ts';

export interface ValidationError {
  /** From the body on; positions in lists are numbers; empty for a remark on the whole body. */
  path: (string | number)[];
  message: string;
}

/** Bodies are `{ message: X }` in an envelope or X itself; X holds remarks by field, one `detail`, or a bare list. */
export function messagesIn(body: unknown): unknown {
  return isObject(body) && body.success === false && 'message' in body ? body.message : body;
}

const wholeBody = new Set(['detail', 'non_field_errors', '__all__']);
const maxRemarks = 100;
const maxRemarkLength = 300;

export function collectValidationErrors(
  remarks: unknown,
  path: (string | number)[] = [],
  found: ValidationError[] = [],
): ValidationError[] {
  if (found.length >= maxRemarks || path.length > 10) return found;
  if (typeof remarks === 'string') {
    if (remarks !== '') found.push({ path, message: remarks.slice(0, maxRemarkLength) });
  } else if (Array.isArray(remarks)) {
    remarks.forEach((remark, index) => {
      collectValidationErrors(remark, typeof remark === 'string' ? path : [...path, index], found);
    });
  } else if (isObject(remarks)) {
    const isTokenRemark = typeof remarks.detail === 'string' && 'code' in remarks;
    for (const [key, remark] of Object.entries(remarks)) {
      if (isTokenRemark && key !== 'detail') continue;
      collectValidationErrors(remark, wholeBody.has(key) ? path : [...path, key], found);
    }
  }
  return found;
}

/**
 * The remarks that a client is shown. People write them for people; where one reads like the inside of the service, or
 * quotes the key, its field is told and its words are not.
 */
export function shownValidationErrors(
  remarks: readonly ValidationError[],
  authorization: string | undefined,
): ValidationError[] {
  // The scheme before it is no secret.
  const key = authorization?.slice(authorization.lastIndexOf(' ') + 1) || undefined;
  const isInside = (text: string) => inside.test(text) || (key !== undefined && text.includes(key));
  return remarks.flatMap(({ path, message }) => {
    const named = path.filter((step) => typeof step === 'number' || (fieldName.test(step) && !isInside(step)));
    if (!isInside(message)) return [{ path: named, message }];
    return named.length > 0 ? [{ path: named, message: 'The service refuses this.' }] : [];
  });
}

const fieldName = /^\w{1,100}$/;

/** Addresses, files, places in code, statements of SQL, objects as Python prints them, HTML, keys. */
const inside = new RegExp(
  [
    /:\/\//,
    /\b\d{1,3}(?:\.\d{1,3}){3}\b/,
    /(?:\b[\da-fA-F]{1,4}:){7}|::[\da-fA-F]/,
    /\blocalhost\b/,
    /\b[A-Za-z][\w.-]*:\d{2,5}\b/,
    /(?<![@\w.-])[A-Za-z][\w-]*(?:\.[\w-]+){2}/,
    /(?:^|[\s"'(=])(?:\/[\w.-]+){2}/,
    /\b[A-Za-z]:\\/,
    /Traceback|, line \d+\b|^\s+at /m,
    /[a-z](?:Error|Exception|Violation)\b/,
    /\b(?:SELECT|INSERT|UPDATE|DELETE)\b.*\b(?:FROM|INTO|SET)\b/s,
    /violates .*constraint|DETAIL:/s,
    /\bobject at 0x|<\/?[a-z][^>]*>/,
    /\bBearer \S|\beyJ[\w-]{10}/,
    /(?i:password|secret|token|api_?key)["']?\s*[=:]\s*\S/,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'ms',
);
