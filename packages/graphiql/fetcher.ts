import type { GraphiQLProps } from 'graphiql';
import type { ExecutionResult } from 'graphql';
import { type AnswerPart, acceptParts, readParts } from './answer-parts.ts';
import { operationOf, uploadVariables } from './operation.ts';
import { begin } from './operation-runs.ts';
import { headersFor, idempotencyHeader, traceHeader } from './request-headers.ts';
import { sendSignedIn } from './signed-in.ts';
import { onTransferred } from './transferred.ts';
import { type Upload, uploadOf } from './upload.ts';
import type { UpstreamReport } from './upstream-report.ts';

type Fetcher = GraphiQLProps['fetcher'];
type Operation = Parameters<Fetcher>[0];
type Given = Record<string, unknown>;
type Answer = ExecutionResult<Given, Given & { upstream?: UpstreamReport }>;

/**
 * Posts one operation to the address of the page, with a file where its variables name one. The headers editor overrides
 * the headers of the page.
 * Returns an observable for its answer, or for the parts of it, because GraphiQL can stop nothing else. Otherwise a request would outlive its
 * stop button and its tab, and its answer would appear in another tab.
 */
export const fetcher: Fetcher = (operation, options) => {
  const given = new Headers(options?.headers);
  // GraphiQL also reads the schema through its fetcher, without a document.
  if (!options || !('documentAST' in options))
    return send(operation, headersFor(given), undefined).then(({ answer }) => answer);
  return {
    subscribe(observer: unknown) {
      // GraphiQL's type allows bare functions too, but GraphiQL gives none.
      const { next, error, complete } = observer as Observer;
      const leave = new AbortController();
      const show = (answer: Answer) => {
        if (!leave.signal.aborted) next(answer);
      };
      run(operation, given, leave.signal, show).then(
        () => {
          if (!leave.signal.aborted) complete();
        },
        (failure: Error) => {
          // GraphiQL would show the stack of an Error.
          if (!leave.signal.aborted) error({ message: failure.message });
        },
      );
      return { unsubscribe: () => leave.abort() };
    },
  };
};

interface Observer {
  next(answer: Answer): void;
  error(failure: { message: string }): void;
  complete(): void;
}

async function run(
  given: Operation,
  givenHeaders: Headers,
  signal: AbortSignal,
  show: (answer: Answer) => void,
): Promise<void> {
  const definition = operationOf(given.query, given.operationName);
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
  const endWait = onTransferred((wireBytes) => change({ wireBytes }));
  try {
    // Without the header, the page shows the answer that another client would get.
    const isTraced = givenHeaders.has(traceHeader);
    const showPart = (part: AnswerPart) => show((isTraced ? part : withoutUpstream(part as Answer)) as Answer);
    const { answer, text, isInParts } = await send(operation, headers, upload, signal, showPart);
    const ms = performance.now() - start;
    const upstream = answer.extensions?.upstream;
    const errors = (answer.errors ?? []).map(({ message, extensions = {} }) => ({
      message,
      code: String(extensions.code),
    }));
    const shown = isTraced ? answer : withoutUpstream(answer);
    const shownShare = shown === answer ? 1 : Math.min(1, JSON.stringify(shown).length / text.length);
    const jsonBytes = new Blob([text]).size;
    change({ state: 'answered', ms, jsonBytes, shownShare, errors, data: answer.data, ...(upstream && { upstream }) });
    if (!isInParts) show(shown);
  } catch (failure) {
    endWait();
    const { message } = failure as Error;
    change(signal.aborted ? { state: 'stopped' } : { state: 'failed', errors: [{ message }] });
    throw failure;
  }
}

/** Rejects when the answer is not JSON, such as the error page of a proxy, and names its status. */
async function send(
  operation: Operation,
  headers: Headers,
  upload: Upload | undefined,
  signal: AbortSignal | null = null,
  next: (part: AnswerPart) => void = () => {},
): Promise<{ answer: Answer; text: string; isInParts?: true }> {
  if (upload) {
    // The browser itself knows the boundary of the parts.
    headers.delete('Content-Type');
    headers.set('apollo-require-preflight', 'true');
  } else headers.set('Content-Type', 'application/json');
  acceptParts(headers, operation.query);
  const body = upload?.form ?? JSON.stringify(operation);
  const request = { method: 'POST', headers, body, signal };
  const response = await sendSignedIn(window.location.pathname, request).catch(noAnswer);
  const type = response.headers.get('Content-Type');
  if (type?.includes('event-stream')) return { ...(await readParts(response, next)), isInParts: true };
  if (!type?.includes('json')) {
    throw new Error(`The gateway answered ${response.status} ${response.statusText} without JSON`);
  }
  const text = await response.text();
  return { answer: JSON.parse(text), text };
}

/** A browser says of a gateway that has stopped only that it has failed to fetch. */
function noAnswer(failure: Error): never {
  if (!(failure instanceof TypeError)) throw failure;
  throw new Error(`The gateway does not answer (${failure.message}): is it running?`);
}

function withoutUpstream({ extensions, ...answer }: Answer): Answer {
  const { upstream: _upstream, ...others } = extensions ?? {};
  return Object.keys(others).length > 0 ? { ...answer, extensions: others } : answer;
}
