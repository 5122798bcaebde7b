import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Metric, ValidDocument } from '@gateway/base';
import type { Logger } from 'pino';
import type { Graph } from './graph.ts';
import type { AnswerStream } from './http/answer-stream.ts';
import type { ConcurrencyLimit } from './http/concurrency-limit.ts';
import type { CallerOf } from './http/request.ts';
import type { Handler, Route, RunOperation } from './http/routes.ts';
import type { UntakenAnswers } from './http/untaken-answers.ts';
import type { FormatError } from './operations/errors/format.ts';
import type { DocumentStore, GraphQLHttpRequest } from './operations/operation-request.ts';
import type { Pipeline } from './operations/pipeline.ts';
import type { CurrentRequest } from './request/current-request.ts';
import type { ServeSettings } from './settings.ts';
import type { MetricsReport } from './watch/metrics.ts';
import type { RequestObserver, Spans, Traffic } from './watch/traffic.ts';

/** A part plugs into a gateway. One that is left out costs nothing. */
export interface Part {
  /** Paths that the part serves, beside that of GraphQL. */
  routes?: readonly Route[];
  /** Answers a browser that opens the address of GraphQL. */
  page?: Handler;
  /** Answers operations in media types of its own. */
  formats?: readonly AnswerFormat[];
  /** Gets each request, before it is read and when it has ended. */
  observer?: RequestObserver;
  /** Takes the spans of operations. One part at most has some. */
  spans?: Spans | undefined;
  /** Knows documents by ids. One part at most does. */
  documents?: DocumentStore;
  metrics?: readonly Metric[];
  /** Reads its files anew. */
  reload?(): Promise<void>;
  /** Called when the gateway has answered its last request. The graph is closed by then. */
  close?(): Promise<void>;
}

export interface AnswerFormat {
  /** Those of `Accept`, in lower case. */
  mediaTypes: readonly string[];
  /** Headers of its answers that pages of other origins may read. */
  shown?: readonly string[];
  /** The words of a refusal for them. */
  refusedAs?: string;
  /** The media type for a request that it answers, whatever the client prefers. Asked where `Accept` names one of them. */
  takes?(asked: GraphQLHttpRequest): string | undefined;
  /** `whole` answers in one piece. */
  run(...args: [...Parameters<RunOperation>, mediaType: string, whole: RunOperation]): ReturnType<RunOperation>;
}

/** Opens a part when the gateway starts. Undefined where the settings ask for nothing of it. */
export type OpenPart = (host: PartHost) => Part | undefined | Promise<Part | undefined>;

/** The things of a gateway that its parts may use. */
export interface PartHost {
  graph: Graph;
  settings: ServeSettings;
  callerOf: CallerOf;
  pipeline: Pipeline;
  /** The document that the operation cache has for a text. */
  cachedDocument(text: string): ValidDocument | undefined;
  /** The places of running operations. */
  operations: ConcurrencyLimit;
  answers: UntakenAnswers;
  /** Headers of an answer that belongs to one caller. */
  unshared: OutgoingHttpHeaders;
  /** Begins such an answer, which is written piece by piece in a coding that its client accepts. */
  stream(response: ServerResponse, current: CurrentRequest, headers: OutgoingHttpHeaders): AnswerStream;
  formatError: FormatError;
  logger: Logger;
  /** Call `begin` once for a request that counts as an operation. Its `kind` is `refused` until it runs. */
  traffic: Pick<Traffic, 'begin' | 'endBatch'>;
  /** For use once all parts are open, as are `spans` and `readMetrics`. */
  documents(): DocumentStore;
  /** Undefined where no part takes spans. */
  spans(): Spans | undefined;
  readMetrics(): Promise<MetricsReport>;
  /** The port is closed: long answers end early. */
  isClosing(): boolean;
}
