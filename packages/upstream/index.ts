export { Callers } from './callers.ts';
export { claimAt, claimsOf } from './claims.ts';
export { connector } from './connect.ts';
export { DateTime, isoFromService } from './date-time.ts';
export { Dialect } from './dialect.ts';
export {
  errorFromAnswer,
  fromUpstreamError,
  isTooLate,
  keyRefused,
  NoAnswerError,
  NotSentError,
  noSuchResource,
  readFailure,
  writeNotSent,
} from './errors.ts';
export type { UpstreamEvents } from './events.ts';
export { FailingRows } from './failing-rows.ts';
export type { UploadedFile } from './file-form.ts';
export type { OtherProcesses } from './invalidation.ts';
export { CallerKnowledge, type FanOut, type Parts } from './knowledge.ts';
export { KnownList, mostSlack, usualNextPageShare } from './known-list.ts';
export * from './list-page.ts';
export { Memory, type MemoryRule } from './memory.ts';
export {
  Call,
  type CallObserver,
  type CallOrigin,
  type CallReason,
  newRequest,
  type Signal,
  type Subject,
  type UpstreamRequest,
  type UpstreamResponse,
  type WriteInput,
} from './request.ts';
export { LackingEndpointError } from './request-path.ts';
export { CallBudget, type ReadScope, Scope } from './scope.ts';
export * from './service-costs.ts';
export { defaultUpstream, Upstream, type UpstreamOptions } from './upstream.ts';
