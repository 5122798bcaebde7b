import { codedError, inputNotStored, type Json, UpstreamError } from '@gateway/base';
import { contractOf, type Endpoint, type Kind } from '@gateway/contract';
import { fromUpstreamError, isRow, type Row } from '@gateway/upstream';
import type { GraphQLError, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import type { TypePlan } from '../plan/plan.ts';
import { covers } from '../plan/selection-plan.ts';
import { appOf } from '../request/app.ts';
import type { RequestContext } from '../request/context.ts';
import { inputDifferences, lacksInput } from './stored-input.ts';

/** A field of Mutation with a value for each of its arguments. */
export interface WriteField {
  info: Pick<GraphQLResolveInfo, 'schema' | 'parentType' | 'fieldName'>;
  args: Json;
  /** The name of the field in the answer. */
  key: string;
}

export function endpointOf({ info }: WriteField): Endpoint {
  return contractOf(info.schema).endpoint(info.fieldName);
}

/** Sends a write whose input is right. */
export type Write = () => Promise<Json>;

/**
 * Sends the write. Where the service has made no object, the object that it answers instead counts only if it equals the
 * input.
 * @throws CONFLICT with the id of another object that stands in the way.
 * @throws UPSTREAM_INVALID_RESPONSE for an answer that is no object.
 */
export async function answerOf(write: Write, field: WriteField): Promise<Row> {
  const { info, args } = field;
  const { kind, answersNothing, idArgument = 'id' } = endpointOf(field);
  const answer = await write().catch((error: unknown) => {
    const existing = error instanceof UpstreamError ? error.existing : undefined;
    if (!existing) throw error;
    if (inputDifferences(info, args, existing).length === 0) return existing;
    throw fromUpstreamError(error, { reference: { type: kind, id: String(existing.id) } });
  });
  if (isRow(answer)) return answer;
  if (answersNothing) return { id: String(args[idArgument]) };
  throw codedError('UPSTREAM_INVALID_RESPONSE', 'The service accepted the write, but its answer has no id.');
}

/** Makes the answer of a write known to the loads of the request. */
export function learn(schema: GraphQLSchema, context: RequestContext, kind: Kind, answer: Row): void {
  context.loaders.seen.add(kind, answer, false);
  appOf(schema).learn?.(context, answer);
}

/**
 * The answer with the other properties that the selection needs, and fields of the input that it lacks. The write has
 * happened even if that read fails.
 */
export async function completed(
  field: WriteField,
  { loaders }: RequestContext,
  { answer, plans }: { answer: Row; plans: TypePlan[] },
): Promise<{ data: Row; failure?: GraphQLError }> {
  const { kind } = endpointOf(field);
  const known = { data: answer, complete: false };
  const isPartial =
    plans.some((plan) => !covers(known, plan, loaders.reader.dialectName)) ||
    lacksInput(appOf(field.info.schema), field.args, answer);
  if (!isPartial || !loaders.givesById(kind)) return { data: answer };
  try {
    const { data } = await loaders.load(kind, answer.id, field.key);
    return { data: { ...answer, ...data, id: answer.id } };
  } catch (error) {
    return { data: answer, failure: fromUpstreamError(error) as GraphQLError };
  }
}

/** INPUT_NOT_STORED for the input that `stored` differs from. */
export function notStored({ info, args }: Omit<WriteField, 'key'>, stored: Json): GraphQLError | undefined {
  const differences = inputDifferences(info, args, stored);
  return differences.length > 0 ? inputNotStored(differences) : undefined;
}
