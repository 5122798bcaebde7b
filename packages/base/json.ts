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

/** The value of a JSON text; undefined for other texts. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON of a client. An escape can express half of a surrogate pair, but UTF-8 cannot: the service would get another
 * text.
 * @throws SyntaxError for text that is not JSON, or that contains half of a surrogate pair.
 */
export function parseJson(text: string): unknown {
  return /\\u[dD][89a-fA-F]/.test(text) ? JSON.parse(text, requireWellFormed) : JSON.parse(text);
}

function requireWellFormed(key: string, value: unknown): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
    throw new SyntaxError('Half of a surrogate pair.');
  }
  return value;
}
