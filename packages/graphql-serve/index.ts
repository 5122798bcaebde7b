export { type Gateway, urlOf } from './gateway.ts';
export type { Admin } from './http/admin.ts';
export { startAdminThread } from './http/admin-thread.ts';
export { AnswerStream } from './http/answer-stream.ts';
export { ConcurrencyLimit } from './http/concurrency-limit.ts';
export { codingFor } from './http/content-coding.ts';
export { corsFor } from './http/cors.ts';
export { graphqlEndpoint } from './http/graphql-endpoint.ts';
export { listen } from './http/listen.ts';
export { operationHandler, type RunOperation, uncacheable } from './http/operation-handler.ts';
export {
  clientLeft,
  contextOptions,
  graphqlRequest,
  requestCaller,
  requireKey,
  traceContextHeaders,
} from './http/request.ts';
export { guarding, send, sendMethodNotAllowed } from './http/response.ts';
export { graphqlPath, type Handler, routes } from './http/routes.ts';
export { UntakenAnswers } from './http/untaken-answers.ts';
export { Idempotency } from './idempotency/idempotency.ts';
export type { IdempotentWrites } from './idempotency/idempotent-writes.ts';
export { openStore } from './idempotency/open-store.ts';
export { errorFormatter, type FormatError } from './operations/errors/format.ts';
export { failureStatus, refusalStatus } from './operations/errors/status.ts';
export { fileType } from './operations/media-types.ts';
export { OperationCache } from './operations/operation-cache.ts';
export { type Pipeline, requirePlan, runOperation, startPipeline } from './operations/pipeline.ts';
export { readManifest } from './operations/trusted-documents/manifest.ts';
export { TrustedDocuments } from './operations/trusted-documents/trusted-documents.ts';
export { type VariableUse, variableUses } from './operations/variables.ts';
export { openRedis } from './redis/open-redis.ts';
export type { CurrentRequest } from './request/current-request.ts';
export { OperationSpan, spanIdOf, type TraceParent, traceParentOf } from './request/operation-span.ts';
export type { Carrier } from './share/carrier.ts';
export { OtherGateways } from './share/other-gateways.ts';
export { redisCarrier } from './share/redis-carrier.ts';
export type { UploadedFile } from './uploads/multipart.ts';
export { endSlowest, patienceMs, type Transfer, TransferLimit } from './uploads/transfer-limit.ts';
export { AccessLog } from './watch/access-log.ts';
export { flushLogOutputs, openLogOutput } from './watch/log-output.ts';
export { createAccessLogger, createLogger } from './watch/logger.ts';
export { type MetricsReport, openMetrics, type SharedMetrics } from './watch/metrics.ts';
export { watchProcessErrors } from './watch/process-errors.ts';
export type { Spans } from './watch/spans.ts';
export { type RequestObserver, Traffic } from './watch/traffic.ts';
export { startWorkers } from './workers/primary.ts';
export { connectToPrimary, type Primary } from './workers/worker.ts';
