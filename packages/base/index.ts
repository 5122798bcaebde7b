export { anyOf } from './any-of.ts';
export { atMost } from './at-most.ts';
export {
  type Caller,
  type CallerHeaders,
  callerOf,
  digestOf,
  newcomers,
  sentHeaders,
  strangers,
} from './callers/caller.ts';
export { type CallerQueue, FairQueue, type Task } from './callers/fair-queue.ts';
export { maxPauseSeconds, maxSharedPauses } from './callers/pauses.ts';
export { exitCodeOf, type Output } from './command.ts';
export { ChangingDeadlines, Deadlines, Timed } from './deadlines.ts';
export { decimalSum } from './decimal-sum.ts';
export {
  codedError,
  type ErrorCode,
  type ErrorDetails,
  errorCodes,
  type FieldError,
  fieldsRefused,
  inputNotStored,
  maxFieldErrors,
} from './errors/codes.ts';
export {
  badRequest,
  noKey,
  overload,
  overloaded,
  type Refusal,
  refused,
  tooLarge,
  unsupported,
} from './errors/refusals.ts';
export { UpstreamError, type UpstreamErrorCode, type ValidationError } from './errors/upstream-error.ts';
export { EventLoop, loopUtilization } from './event-loop.ts';
export { AnswerLimit, answerTooLong, errorsPerTurn, noMemory, objectsPerError } from './executor/answer-limit.ts';
export { hasVariables, plainReads } from './executor/compile.ts';
export { execute } from './executor/execute.ts';
export type { Field, FieldTree, Selection } from './executor/field-tree.ts';
export { isNoValue } from './executor/no-value.ts';
export { type ExecutionArgs, type Operation, ValidDocument, type Variables } from './executor/operation.ts';
export { prepare } from './executor/prepare.ts';
export { fieldOf } from './executor/run.ts';
export { HangGuard } from './hang-guard.ts';
export { isIdempotencyKey } from './idempotency-key.ts';
export { inTurn, inTurnIfLate } from './in-turn.ts';
export { isObject, type Json, jsonOrUndefined, parseJson } from './json.ts';
export { loggedError } from './logged-error.ts';
export { groupBy, madeOnce } from './maps.ts';
export { Memory, type MemoryRule } from './memory.ts';
export { type MemoryBudget, MemoryShare, type MemoryUse } from './memory-budget.ts';
export {
  type Counter,
  counter,
  durationBuckets,
  gauge,
  type Histogram,
  histogram,
  type Metric,
  readCounter,
  readGauge,
  sizeBuckets,
} from './metrics.ts';
export { readMetrics, type Sample, samplesOf } from './metrics-text.ts';
export { onceAMinute } from './once-a-minute.ts';
export { print } from './print.ts';
export { randomHex } from './random-hex.ts';
export { retryAfterSeconds } from './retry-after.ts';
export { isWide, utf8Of } from './utf8.ts';
export { type InputPlace, type InputVisitor, visitInput } from './visit-input.ts';
export { type Changes, withChanges } from './with-changes.ts';
export { withResolvers } from './with-resolvers.ts';
export type { RecordedInput, WriteRecordStore, WriteRecords, WriteSteps } from './write-records.ts';
