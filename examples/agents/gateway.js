/**
 * @typedef {{ message: string, path?: (string | number)[], extensions?: Record<string, any> }} GatewayError
 * @typedef {{ data?: Record<string, unknown> | null, errors?: GatewayError[], extensions?: { upstream?: Trace } }} Answer
 * @typedef {{ total: number, calls: { workMs: number, rows: number }[] }} Trace
 */

/**
 * The gateway at GATEWAY_URL, as the caller of GATEWAY_KEY. No message contains the key.
 * @param {NodeJS.ProcessEnv} environment
 */
export function openGateway({ GATEWAY_URL = 'http://127.0.0.1:4000/graphql', GATEWAY_KEY = '' }) {
  if (!URL.canParse(GATEWAY_URL) || new URL(GATEWAY_URL).password) {
    throw new Error('GATEWAY_URL is an address without a password, such as http://127.0.0.1:4000/graphql.');
  }
  if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(GATEWAY_KEY)) {
    throw new Error('GATEWAY_KEY is the value of Authorization for the agent, such as "Bearer <token>", on one line.');
  }
  const headers = {
    accept: 'application/graphql-response+json',
    authorization: GATEWAY_KEY,
    'apollo-require-preflight': 'true',
    'graphql-client-name': 'agents',
    'x-trace-upstream': 'true',
  };

  return {
    /**
     * Runs a trusted document, and makes its answer the result of a tool. Asks by GET, for which the gateway refuses
     * every mutation.
     * @param {string} documentId
     * @param {unknown} variables
     * @param {AbortSignal} signal
     */
    async read(documentId, variables, signal) {
      const url = new URL(GATEWAY_URL);
      url.searchParams.set('documentId', documentId);
      url.searchParams.set('variables', JSON.stringify(variables));
      const response = await fetch(url, { headers, signal }).catch((error) => {
        throw new Error(`No gateway answers at GATEWAY_URL (${error.cause?.code ?? error.name}): is it running?`);
      });
      const answer = /** @type {Answer} */ (
        await response.json().catch(() => {
          throw new Error(`GATEWAY_URL answers ${response.status} without JSON: is it the address of GraphQL?`);
        })
      );
      return resultOf(answer);
    },
  };
}

/**
 * An answer without any data is an error of the tool. Errors beside data come after the data.
 * @param {Answer} answer
 */
function resultOf({ data, errors = [], extensions }) {
  const hasData = Object.values(data ?? {}).some((value) => value !== null);
  const texts = [
    ...(hasData ? [JSON.stringify(data)] : []),
    ...errors.map(adviceOf),
    ...(extensions?.upstream ? [costOf(extensions.upstream)] : []),
  ];
  return { isError: !hasData, content: texts.map((text) => ({ type: /** @type {const} */ ('text'), text })) };
}

/**
 * Names the failure, and the next step of the agent.
 * @param {GatewayError} error
 */
function adviceOf({ message, path, extensions = {} }) {
  const { code, fields = [], retryable, retry_after: seconds } = extensions;
  const at = path ? ` at ${path.join('.')}` : '';
  const wrong = fields.map((/** @type {any} */ field) => ` ${field.path.join('.')}: ${field.message}`).join('');
  return `${code}${at}: ${message.replace(/\.?$/, '.')}${wrong} ${stepAfter(code, retryable, seconds)}`;
}

/**
 * @param {string | undefined} code
 * @param {boolean | undefined} retryable
 * @param {number | undefined} seconds
 */
function stepAfter(code, retryable, seconds) {
  if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') return 'Ask the person who set GATEWAY_KEY to check it.';
  if (code === 'BAD_USER_INPUT') return 'Correct the arguments.';
  if (!retryable) return 'The same call will fail again.';
  return seconds === undefined ? 'Try again later.' : `Try again in ${seconds} s.`;
}

/** @param {Trace} trace */
function costOf({ total, calls }) {
  const sum = (/** @type {'workMs' | 'rows'} */ figure) =>
    Math.round(calls.reduce((all, call) => all + call[figure], 0));
  return `Cost: calls ${total}, rows ${sum('rows')}, service ms ${sum('workMs')}`;
}
