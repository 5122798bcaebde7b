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
  const address = URL.canParse(GATEWAY_URL) ? new URL(GATEWAY_URL) : undefined;
  if (!address?.protocol.startsWith('http') || address.username || address.password) {
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
      const url = new URL(address);
      url.searchParams.set('documentId', documentId);
      url.searchParams.set('variables', JSON.stringify(variables));
      // fetch would follow a redirect to another origin without the key.
      const { status, body } = await fetch(url, { headers, signal, redirect: 'manual' })
        .then(async (response) => ({ status: response.status, body: await response.text() }))
        .catch(({ name, cause }) => {
          const reason = cause?.code ?? cause?.message ?? name;
          throw new Error(`No answer comes from the gateway at GATEWAY_URL (${reason}): is it running?`);
        });
      const answer = answerIn(body);
      if (!answer) throw new Error(`GATEWAY_URL answers ${status} without GraphQL. ${stepAfterStatus(status)}`);
      return resultOf(answer);
    },
  };
}

/**
 * Undefined for the answers of proxies themselves. No message repeats those: they may contain the request.
 * @param {string} body
 * @returns {Answer | undefined}
 */
function answerIn(body) {
  try {
    const answer = JSON.parse(body);
    return answer.data || answer.errors[0].message ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} status */
function stepAfterStatus(status) {
  if (status === 401 || status === 403) return stepAfter('UNAUTHENTICATED');
  if (status === 429 || status >= 500) return stepAfter(undefined, true);
  return 'Is it the address of GraphQL?';
}

/** Characters of data, about 25,000 tokens: more would fill the context of many models. */
const longestData = 100_000;

/**
 * An answer without any data, or with too much, is an error of the tool. Errors beside data come after the data.
 * @param {Answer} answer
 */
function resultOf({ data, errors = [], extensions }) {
  const hasData = Object.values(data ?? {}).some((value) => value !== null);
  const json = hasData ? JSON.stringify(data) : '';
  const isTooLong = json.length > longestData;
  const texts = [
    ...(isTooLong ? [tooLong(json.length)] : hasData ? [json] : []),
    ...errors.map(adviceOf),
    ...(extensions?.upstream ? [costOf(extensions.upstream)] : []),
  ];
  const content = texts.map((text) => ({ type: /** @type {const} */ ('text'), text }));
  return { isError: !hasData || isTooLong, content };
}

/** @param {number} length */
function tooLong(length) {
  return `The answer has ${length} characters, and a tool gives at most ${longestData}. Use arguments or a tool that finds less.`;
}

/**
 * Names the failure, and the next step of the agent.
 * @param {GatewayError} error
 */
function adviceOf({ message, path, extensions = {} }) {
  const { code = 'ERROR', fields = [], retryable, retry_after: seconds } = extensions;
  const at = path ? ` at ${path.join('.')}` : '';
  const wrong = fields.map((/** @type {any} */ field) => ` ${field.path.join('.')}: ${field.message}`).join('');
  return `${code}${at}: ${message.replace(/\.?$/, '.')}${wrong} ${stepAfter(code, retryable, seconds)}`;
}

/**
 * @param {string} [code]
 * @param {boolean} [retryable]
 * @param {number} [seconds]
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
