export type { Callers } from './call/callers.ts';
export { claimAt, claimsOf } from './call/claims.ts';
export { connector } from './call/connect.ts';
export { readFailure } from './call/connection-errors.ts';
export { DateTime } from './call/date-time.ts';
export type { Dialect } from './call/dialect.ts';
export { LackingEndpointError } from './call/endpoint-support.ts';
export {
  errorFromAnswer,
  fromUpstreamError,
  keyRefused,
  NoAnswerError,
  UpstreamError,
  type UpstreamErrorCode,
} from './call/errors.ts';
export type { UpstreamEvents } from './call/events.ts';
export type { OtherProcesses } from './call/invalidation.ts';
export type { Parts } from './call/knowledge.ts';
export { pageSize } from './call/page-size.ts';
export { maxPauseSeconds, maxSharedPauses } from './call/rate-limit.ts';
export { type CallOrigin, type Signal, UpstreamRequest, type WriteInput } from './call/request.ts';
export { type CallCost, priorCosts, priorParallelism, type ServiceCosts } from './call/service-costs.ts';
export { Upstream } from './call/upstream.ts';
export type { ValidationError } from './call/validation-errors.ts';
export { Contract, contractOf } from './contract/contract.ts';
export type { ContractData } from './contract/data.ts';
export type { DialectName, DialectTraits } from './contract/dialect-traits.ts';
export type { EndpointName } from './contract/endpoint.ts';
export type { Kind, Target } from './contract/kind.ts';
export type { Reference } from './contract/reference.ts';
export { checkBounds } from './graph/bounds.ts';
export { idsOf } from './graph/defaults.ts';
export { isSameNumber } from './graph/exact-number.ts';
export { prepareWrite } from './graph/prepare-write.ts';
export { objectOf } from './graph/references.ts';
export { byId, plannedRoot } from './graph/root.ts';
export { executableSchema } from './graph/schema.ts';
export { serverTime } from './graph/server-time.ts';
export { requireKey, withCodes } from './graph/with-codes.ts';
export { answerOf, completed, learn, notStored, type Row } from './graph/written-object.ts';
export { Batches } from './load/batch.ts';
export { type Connection, type PageArguments, rowFields } from './load/lists/connection.ts';
export type { ListReader } from './load/lists/list-reader.ts';
export type { FoundRows } from './load/lists/row-search.ts';
export { ReferenceLoader } from './load/load-references.ts';
export { idOf, itemsIn, referenceValue } from './load/references.ts';
export { callsService, type OperationPlan, planOperation, planRoots, requireFits } from './plan/operation-plan.ts';
export { newTypePlan, planAmong, planOf, referencePlan } from './plan/plan.ts';
export { planWrites, type RootCall } from './plan/root-plan.ts';
export type { App, Explain, Guard } from './request/app.ts';
export { answerTooLong, RequestContext, type RequestOptions, type Service } from './request/context.ts';
export { isNoValue } from './request/extra-errors.ts';
export type { NotedCall, UpstreamTrace } from './request/upstream-trace.ts';
