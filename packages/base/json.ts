/** A JSON object. */
export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value is an object of no class, as JSON and literals make them. */
export function isPlain(value: unknown): value is Json {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** The value of a JSON text; undefined for other texts. A number beyond 2⁵³, which JSON.parse rounds, is a text of its digits. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return hasLongNumber(text) ? JSON.parse(text, withAllDigits) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withAllDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? context?.source : value;
}

/** Looks at one character in 16 and its neighbours: JSON.parse takes five times as long with a function. */
function hasLongNumber(text: string): boolean {
  for (let at = 15; at < text.length; at += 16) {
    let first = at;
    while (isDigit(text, first)) first -= 1;
    while (isDigit(text, at)) at += 1;
    if (at - first > 16 && !/[".]/.test(text.charAt(first))) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/**
 * Parses JSON of a client. An integer that JSON.parse rounds is a text of its digits. An escape can express half of a
 * surrogate pair, but UTF-8 cannot: the service would get another text.
 * @throws SyntaxError for text that is not JSON, or that contains half of a surrogate pair.
 */
export function parseJson(text: string): unknown {
  return hasLongNumber(text) || /\\u[dD][89a-fA-F]/.test(text) ? JSON.parse(text, requireExact) : JSON.parse(text);
}

function requireExact(key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
    throw new SyntaxError('Half of a surrogate pair.');
  }
  return /^-?\d{16,}$/.test(source) && String(value) !== source ? source : value;
}
