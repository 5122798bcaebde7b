import type { GraphiQLProps } from 'graphiql';
import type { ExecutionResult } from 'graphql';
import { begin } from './exchanges.ts';
import { operationOf, uploadVariables } from './operation.ts';
import { authorization, newIdempotencyKeys, randomKey } from './session.ts';
import { type Upload, uploadOf } from './upload.ts';
import type { UpstreamReport } from './upstream-report.ts';

type Fetcher = GraphiQLProps['fetcher'];
type Operation = Parameters<Fetcher>[0];
type Given = Record<string, unknown>;
type Answer = ExecutionResult<Given, Given & { upstream?: UpstreamReport }>;

const traceHeader = 'X-Trace-Upstream';
const idempotencyHeader = 'Idempotency-Key';

/**
 * Posts one operation to the address the page itself came from, with a file where its variables name one. The headers
 * editor wins over what the page adds.
 * Plain request and answer: the schema has no subscriptions and the gateway sends no incremental results. An observable
 * all the same, because GraphiQL can stop nothing else: neither its button nor a change of tabs would end a request, and
 * the answer would be shown in the tab that is active by then.
 */
export const fetcher: Fetcher = (operation, options) => {
  const given = new Headers(options?.headers);
  // GraphiQL reads the schema through its fetcher too; only what is run has a document.
  if (!options || !('documentAST' in options)) return send(operation, headersFor(given), undefined);
  return {
    subscribe(observer: unknown) {
      // The type of GraphiQL allows bare functions too; GraphiQL gives none.
      const { next, error, complete } = observer as Observer;
      const leave = new AbortController();
      run(operation, given, leave.signal).then(
        (answer) => {
          if (leave.signal.aborted) return;
          next(answer);
          complete();
        },
        (failure: Error) => {
          if (!leave.signal.aborted) error(failure);
        },
      );
      return { unsubscribe: () => leave.abort() };
    },
  };
};

interface Observer {
  next(answer: Answer): void;
  error(failure: Error): void;
  complete(): void;
}

async function run(given: Operation, givenHeaders: Headers, signal: AbortSignal): Promise<Answer> {
  // GraphiQL takes up an edit a moment later; until then it names the operation that was there before.
  const definition = operationOf(given.query, given.operationName) ?? operationOf(given.query);
  const operation = definition ? { ...given, operationName: definition.name?.value ?? null } : given;
  const upload = uploadOf(operation, uploadVariables(definition));
  const headers = headersFor(givenHeaders, definition?.operation === 'mutation');
  const idempotencyKey = headers.get(idempotencyHeader);
  const change = begin({
    operation: definition?.name?.value ?? null,
    ...(upload && { file: upload.label }),
    ...(idempotencyKey !== null && { idempotencyKey }),
  });
  const start = performance.now();
  try {
    const answer = await send(operation, headers, upload, signal);
    const upstream = answer.extensions?.upstream;
    const errors = (answer.errors ?? []).map(({ message, extensions = {} }) => ({
      message,
      code: String(extensions.code),
    }));
    change({ state: 'answered', ms: performance.now() - start, errors, ...(upstream && { upstream }) });
    // Who asks for the trace gets it; others see what their own client would get.
    return givenHeaders.has(traceHeader) ? answer : withoutUpstream(answer);
  } catch (failure) {
    const { message } = failure as Error;
    change(signal.aborted ? { state: 'stopped' } : { state: 'failed', errors: [{ message }] });
    throw failure;
  }
}

function headersFor(given: Headers, isMutation = false): Headers {
  const headers = new Headers({ [traceHeader]: 'true' });
  if (authorization.get()) headers.set('Authorization', authorization.get());
  if (isMutation && newIdempotencyKeys.get()) headers.set(idempotencyHeader, randomKey());
  given.forEach((value, name) => {
    headers.set(name, value);
  });
  headers.set('Accept', 'application/json');
  return headers;
}

/** Rejects when the answer is not JSON, so that a proxy's error page is named instead of shown as a parse error. */
async function send(
  operation: Operation,
  headers: Headers,
  upload: Upload | undefined,
  signal: AbortSignal | null = null,
): Promise<Answer> {
  if (upload) {
    // The browser itself knows the boundary of the parts.
    headers.delete('Content-Type');
    headers.set('apollo-require-preflight', 'true');
  } else headers.set('Content-Type', 'application/json');
  const body = upload?.form ?? JSON.stringify(operation);
  const response = await fetch(window.location.pathname, { method: 'POST', headers, body, signal });
  if (!response.headers.get('Content-Type')?.includes('json')) {
    throw new Error(`The gateway answered ${response.status} ${response.statusText} without JSON`);
  }
  return response.json();
}

function withoutUpstream({ extensions, ...answer }: Answer): Answer {
  const { upstream: _upstream, ...others } = extensions ?? {};
  return Object.keys(others).length > 0 ? { ...answer, extensions: others } : answer;
}
