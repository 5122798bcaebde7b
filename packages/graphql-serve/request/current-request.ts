import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Caller, ErrorCode, Operation, Variables } from '@gateway/base';
import { clientNameHeaders, clientVersionHeaders } from './header-names.ts';
import type { OperationSpan } from './operation-span.ts';

/** The kind of a request for an operation; `file`: one list as a file; `refused`: nothing ran. */
export type OperationKind = 'query' | 'mutation' | 'introspection' | 'file' | 'refused';

/** The app that sends a request, as the app names itself. */
export interface Client {
  name: string | undefined;
  version: string | undefined;
}

const maxClientLength = 64;

/** One HTTP request, with notes for metrics and logs. */
export class CurrentRequest {
  readonly id: string;
  /** Milliseconds of performance.now(). */
  readonly begin = performance.now();
  /** Undefined where the request asks for no operation. */
  kind: OperationKind | undefined = undefined;
  /** As in the document. */
  operationName: string | undefined = undefined;
  /** The number of errors by their code. */
  errors: Map<ErrorCode, number> | undefined = undefined;
  /** The answer contains data. */
  hasData = false;
  /** The most calls, where a part allows fewer than the settings do. */
  mostCalls: number | undefined = undefined;
  /** Calls of the service for this request. */
  calls = 0;
  /** Bytes of the uploaded file. */
  fileBytes: number | undefined = undefined;
  /** The part that answers the request in place of an operation, and its notes for the log. */
  part: { name: string; log: Readonly<Record<string, unknown>> } | undefined = undefined;
  /** A long answer, as far as it is sent. `isWhole`: to its end. */
  sent: { rows?: number; bytes: number; isWhole: boolean } | undefined = undefined;
  /** The operation, once its variables fit their types. */
  asked: { operation: Operation; variables: Variables } | undefined = undefined;
  /** From the client's `traceparent`. */
  traceId: string | undefined = undefined;
  /** Absent without OpenTelemetry. */
  span: OperationSpan | undefined = undefined;

  /** Made when the first part of the gateway needs it. Neither log nor metrics show it. */
  caller: Caller | undefined = undefined;
  readonly #socket: Socket | undefined;
  readonly #headers: IncomingHttpHeaders;
  #client: Client | undefined;

  /** `headers`: none where the request cannot be read. */
  constructor(id: string, headers: IncomingHttpHeaders = {}, socket?: Socket) {
    this.id = id;
    this.#headers = headers;
    this.#socket = socket;
  }

  /** The address that the connection comes from, which is that of a proxy where there is one. */
  get address(): string | undefined {
    return this.#socket?.remoteAddress;
  }

  get client(): Client {
    this.#client ??= { name: this.#first(clientNameHeaders), version: this.#first(clientVersionHeaders) };
    return this.#client;
  }

  /** The first header that the request has. Anyone may send any text, so the text is short and fits logs and metrics. */
  #first(names: readonly string[]): string | undefined {
    const text = names.map((name) => this.#headers[name]).find((value) => typeof value === 'string' && value !== '');
    return (text as string | undefined)?.slice(0, maxClientLength).replace(/[^\w .@/+:-]/g, '_');
  }

  noteError(code: ErrorCode): void {
    this.errors ??= new Map();
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }
}

/** The request that the current code runs for: Apollo formats errors without naming theirs. */
export const currentRequest = new AsyncLocalStorage<CurrentRequest>();
