/**
 * Parses JSON that goes on as UTF-8. Throws where it is none, or holds half of a surrogate pair: an escape can say that,
 * but no UTF-8, so it would arrive at the service as another text.
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
