export type { Graph, OperationContext, OperationOptions } from './graph.ts';
export { listenForAdmin } from './http/admin.ts';
export type { AnswerStream } from './http/answer-stream.ts';
export { askForBody } from './http/expect-continue.ts';
export {
  clientLeft,
  contextOptions,
  parseText,
  pathOf,
  requireKey,
} from './http/request.ts';
export { guarding, plainText, send, sendMethodNotAllowed } from './http/response.ts';
export { type Handler, type Route, sendNotFound } from './http/routes.ts';
export type { FormatError } from './operations/errors/format.ts';
export { failureStatus } from './operations/errors/status.ts';
export { checkDocument, type DocumentCheck } from './operations/limits/document-check.ts';
export { requireFewLines } from './operations/limits/document-limits.ts';
export {
  askedByText,
  askedDocument,
  type DocumentStore,
  type GraphQLHttpRequest,
} from './operations/operation-request.ts';
export { runOperation } from './operations/pipeline.ts';
export { stringifyInSlices } from './operations/slices.ts';
export { placeOfMistake, type VariableUse, variableUses } from './operations/variables.ts';
export type { AnswerFormat, OpenPart, Part, PartHost } from './part.ts';
export { refusalStatus } from './request/accept.ts';
export { type CurrentRequest, currentRequest } from './request/current-request.ts';
export { OperationSpan, spanIdOf, type TraceParent, traceParentOf } from './request/operation-span.ts';
export { type SchemaContext, type SchemaGraphOptions, schemaGraph } from './schema-graph.ts';
export { type Gateway, type ServeOptions, serve, urlOf } from './serve.ts';
export { defaultSettings, type ServeSettings } from './settings.ts';
export type { Shared, SharedState } from './shared.ts';
export type { UploadedFile } from './uploads/map.ts';
export { discardBody } from './uploads/request-body.ts';
export { endSlowest, patienceMs, type Transfer, TransferLimit } from './uploads/transfer-limit.ts';
export { tuneHeap } from './watch/heap.ts';
export { flushLogOutputs, openLogOutput } from './watch/log-output.ts';
export { createAccessLogger, createLogger } from './watch/logger.ts';
export { type MetricsReport, type SharedMetrics, sumOfReports } from './watch/metrics.ts';
export { watchProcessErrors } from './watch/process-errors.ts';
export type { Ended, RequestObserver, Spans } from './watch/traffic.ts';
