import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caller, inTurn } from '@gateway/base';
import {
  type CurrentRequest,
  clientLeft,
  contextOptions,
  type FormatError,
  type OperationOptions,
  type PartHost,
} from '@gateway/graphql-serve';
import type { RequestContext, RestService } from '@gateway/rest-graph';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { FileFormat } from './file-format.ts';
import type { ListWindow, RowSource } from './row-source.ts';

/** A window as a part of a file. */
export interface FilePart extends Pick<ListWindow, 'cursor' | 'hasNext' | 'total'> {
  text: Buffer;
  /** Rows that the gateway has asked for. The service may fail on some of them. */
  asked: number;
  rows: number;
  errors: number;
  /** No row is missing, and none comes twice. */
  isCertain: boolean;
}

/** Rows of a window, unless they do not fit the limits of an operation. */
const windowRows = 200;

/** Characters that are written in one turn of the event loop: some milliseconds. */
const charactersPerTurn = 256 * 1024;

/** A smaller window may fit. */
const sizeCodes: ReadonlySet<unknown> = new Set(['QUERY_TOO_COMPLEX', 'UPSTREAM_BUDGET_EXCEEDED']);

/** The window or its references came too late. Fewer rows may come in time. */
const lateCode = 'UPSTREAM_TIMEOUT';

/** Part of its rows to which a late window shrinks. Each try may cost the client the whole time of an operation. */
const shrunk = 1 / 10;

/** A window within this part of the time of an operation may have twice as many rows. */
const quick = 1 / 4;

/** Nearly every reference would fail likewise. */
const outageCodes: ReadonlySet<unknown> = new Set([
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'UPSTREAM_UNAVAILABLE',
  lateCode,
  'OVERLOADED',
]);

export interface FileSettings {
  /** Files that are sent at a time. */
  files: number;
  /** Rows of a page. */
  pageSize: number;
  /** Milliseconds of an operation. */
  timeoutMs: number;
}

interface WindowReaderParts {
  service: RestService;
  host: PartHost;
  formatError: FormatError;
  settings: FileSettings;
}

/** Reads the list of one request. Each window is an operation of its own, with its own time, calls and memory. */
export class WindowReader {
  readonly #parts: WindowReaderParts;
  readonly #response: ServerResponse;
  readonly #current: CurrentRequest;
  readonly #callerNow: () => Caller;
  readonly #options: OperationOptions;
  readonly #timeoutMs: number;
  /** Rows of the next window. */
  #rows: number;
  /** Rows that fit the limits of an operation, as far as the windows have shown. */
  #most: number;
  #context: RequestContext | undefined;

  constructor(parts: WindowReaderParts, request: IncomingMessage, response: ServerResponse, current: CurrentRequest) {
    const { host, settings } = parts;
    this.#parts = parts;
    this.#response = response;
    this.#current = current;
    // The service may accept the token in the first window.
    this.#callerNow = () => host.callerOf(request, current);
    // A file may have any number of calls. Without a sample, nobody waits for its end to keep them.
    this.#options = contextOptions(request, current);
    if (!current.span?.isSampled) this.#options.span = undefined;
    this.#timeoutMs = settings.timeoutMs;
    this.#rows = Math.min(windowRows, settings.pageSize);
    this.#most = this.#rows;
    response.once('close', () => this.#context?.scope.leave(clientLeft()));
  }

  /** Runs one operation of the client. Throws if the client has left. */
  async run<T>(work: (context: RequestContext) => Promise<T>): Promise<T> {
    const { host, service } = this.#parts;
    // Each window takes a place while the gateway reads it.
    const { operations } = host;
    const place = await operations.enter(this.#response, this.#callerNow().share);
    const context = service.open(this.#callerNow(), this.#options);
    this.#context = context;
    try {
      if (!place || this.#response.destroyed) throw clientLeft();
      return await work(context);
    } finally {
      this.#current.calls += context.calls;
      context.end();
      host.spans()?.endWindow(this.#current);
      if (place) operations.leave(place);
    }
  }

  /**
   * Reads the next rows, `most` of them or fewer. A window that does not fit the limits or the time of an
   * operation gets smaller. It grows again where it comes quickly.
   * @throws GraphQLError where the list fails. Also where the token ends, or the service fails on the references of a window:
   * the client goes on later. The first window shows failures of the service beside its rows, so that the client gets past them.
   */
  async read(list: RowSource, format: FileFormat, after: string | null, most: number): Promise<FilePart> {
    for (;;) {
      const first = Math.min(this.#rows, most);
      const part = await this.run(async (context) => {
        const window = await this.#window(list, context, { first, after });
        if (!window) return undefined;
        const isFirst = after === list.after;
        const outage = window.errors.find(({ extensions: { code } }) =>
          isFirst ? code === 'UNAUTHENTICATED' : outageCodes.has(code),
        );
        if (outage) throw outage;
        if (context.scope.msLeft > (1 - quick) * this.#timeoutMs) {
          this.#rows = Math.max(this.#rows, Math.min(this.#most, 2 * first));
        }
        const written = await this.#write(list, window, format, context);
        return { ...written, asked: first, cursor: window.cursor, hasNext: window.hasNext, total: window.total };
      });
      if (part) return part;
    }
  }

  /** Undefined for more rows than one operation can show. The next window is then smaller. */
  async #window(
    list: RowSource,
    context: RequestContext,
    range: { first: number; after: string | null },
  ): Promise<ListWindow | undefined> {
    const { first } = range;
    const shrinks = ({ extensions: { code } }: GraphQLError): boolean => {
      if (first === 1) return false;
      if (sizeCodes.has(code)) this.#rows = this.#most = Math.ceil(first / 2);
      else if (code === lateCode) this.#rows = Math.ceil(first * shrunk);
      else return false;
      return true;
    };
    try {
      const window = await list.read(context, range);
      context.scope.requireClient();
      return window.errors.some(shrinks) ? undefined : window;
    } catch (error) {
      context.scope.requireClient();
      if (error instanceof GraphQLError && shrinks(error)) return undefined;
      throw error;
    }
  }

  async #write(list: RowSource, { rows, errors, cursor }: ListWindow, format: FileFormat, { trace }: RequestContext) {
    const ofRows = new Map<number, GraphQLFormattedError[]>();
    const others: GraphQLFormattedError[] = [];
    for (const error of errors) {
      const formatted = this.#parts.formatError(error);
      const at = list.rowAt(formatted.path ?? []);
      if (!at) {
        others.push(formatted);
        continue;
      }
      const ofRow = ofRows.get(at.index) ?? [];
      ofRow.push({ ...formatted, path: at.path });
      ofRows.set(at.index, ofRow);
    }
    let text = '';
    let turnEnd = charactersPerTurn;
    for (const [index, row] of rows.entries()) {
      text += format.row(row, ofRows.get(index));
      if (text.length < turnEnd) continue;
      turnEnd = text.length + charactersPerTurn;
      await new Promise<void>(inTurn);
    }
    for (const error of others) text += format.error(error);
    text += format.window(cursor, trace?.isShown ? trace.report() : undefined);
    return { text: Buffer.from(text), rows: rows.length, errors: errors.length, isCertain: others.length === 0 };
  }
}
