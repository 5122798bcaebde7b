import { codedError, type Field, fieldOf, type Json, UpstreamError } from '@gateway/base';
import { type Contract, type Kind, type ListEndpointName, rootFieldOf, type Target } from '@gateway/contract';
import { type CallOrigin, fromUpstreamError, isRow, type ListPage } from '@gateway/upstream';
import type { GraphQLResolveInfo } from 'graphql';
import { readPage } from '../load/lists/client-page.ts';
import { Connection, type PageArguments, rowFields } from '../load/lists/connection.ts';
import type { ListOrder } from '../load/lists/filters.ts';
import { ReferenceLoader } from '../load/load-references.ts';
import type { Plan, TypePlan } from '../plan/plan.ts';
import { type ListCall, type PlanRoot, planList, planObject, planWrites, type RootPlan } from '../plan/root-plan.ts';
import { planOf } from '../plan/selection-plan.ts';
import { type RequestContext, requireKey, withCodes } from '../request/context.ts';
import { checkBounds } from './bounds.ts';
import { ChangedError } from './if-unchanged.ts';
import { prepareWrite } from './prepare-write.ts';
import { answerOf, completed, endpointOf, learn, notStored, type Write, type WriteField } from './written-object.ts';

/** A field of Query or Mutation: how it answers, and what it costs. */
interface RootField<Arguments, Result = unknown> {
  resolve(parent: unknown, args: Arguments, context: RequestContext, info: GraphQLResolveInfo): Promise<Result>;
  extensions: { plan: PlanRoot<Arguments> };
}

type RootFields = Record<string, RootField<never>>;

/** Fields of Query and Mutation, one for each endpoint, and one for each union with unique ids. */
export function rootResolvers(contract: Contract): { Query: RootFields; Mutation?: RootFields } {
  const found: { Query: RootFields; Mutation?: RootFields } = { Query: {} };
  for (const { name, sharesIds } of Object.values(contract.data.unions))
    if (!sharesIds) found.Query[rootFieldOf(name)] = byId(name, idIn('id'));
  for (const name of contract.endpointNames) {
    const { does, kind, rootField, idArgument = 'id' } = contract.endpoint(name);
    if (does === 'list') found.Query[rootField] = list(name);
    else if (does === 'get') found.Query[rootField] = byId(kind, idIn(idArgument), idArgument);
    else found.Mutation = { ...found.Mutation, [rootField]: mutate };
  }
  return found;
}

const idIn = (argument: string) => (args: Record<string, string>) => args[argument] as string;

/** One range of the rows of a list. */
function list(endpoint: ListEndpointName): RootField<PageArguments & Record<string, unknown>> {
  const plan = planList(endpoint);
  return {
    extensions: { plan },
    resolve(_parent, args, context, info) {
      requireKey(context);
      const rename = (parameter: string) => context.service.upstream.paths.argumentOf(endpoint, parameter);
      return withCodes(async () => readList(plannedRoot(plan, args, context, info).calls[0], context, info), {
        rename,
      });
    },
  };
}

async function readList(
  { endpoint, filters, range: asked, list: plan }: ListCall,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<Connection> {
  const list = context.loaders.lists.of(endpoint, filters);
  const { kind } = list.described;
  const field = fieldOf(info);
  const origin: CallOrigin = { reason: 'root', fields: () => [field.key] };
  const hasReferences = plan.hasReferences && asked.size > 0;
  if (asked.size > 0) for (const each of plan.rows) context.loaders.expect(each);
  const page = await readPage(list, asked, plan.showsRows, { hasReferences, origin });
  context.answer.requireRoomFor(page.rows.length);
  const connection = new Connection(page, list);
  reportRowsLeftOut(kind, page, connection, context, info);
  if (page.isUncertain) context.errors.add(info, codedError('UPSTREAM_INVALID_RESPONSE', uncertainPage(list.order)));
  await loadReferences(context, connection as unknown as Json, plan.connection);
  context.scope.requireClient();
  return connection;
}

/** Adds an error for the rows in doubt, and for those that did not come in time. Each row that has no id, or that the service fails on, has its own. */
function reportRowsLeftOut(
  kind: Kind,
  { rows, doubts = [], cut }: ListPage,
  { results }: Connection,
  { errors }: RequestContext,
  info: GraphQLResolveInfo,
): void {
  if (doubts.length > 0) {
    const message = `This list may lack ${doubts.length} of its rows, because its pages contradict each other. Rows came or went in between, or rows of one time come in another order on each page. Ask again, or for fewer rows.`;
    errors.add(info, codedError('UPSTREAM_INVALID_RESPONSE', message));
  }
  if (results.length === rows.length && !cut) return;
  const field = fieldOf(info);
  const selected = field.objectTypes.flatMap((type) => field.select(type).fields);
  const place = selected.find(({ name }) => rowFields.has(name))?.key;
  if (cut) errors.add(info, fromUpstreamError(cut), place);
  const message = `The service gave a ${kind} without an id; it is left out.`;
  for (const row of rows) {
    if (row instanceof UpstreamError) errors.add(info, fromUpstreamError(row), place);
    else if (row !== undefined && !isRow(row)) errors.add(info, codedError('UPSTREAM_INVALID_RESPONSE', message));
  }
}

const uncertainPage = ({ time = 'time' }: ListOrder) =>
  'Rows may be missing or come twice. The list changes while the gateway reads it, it has changed since it gave the cursor, ' +
  `or too many of its rows have one \`${time}\`. Read the list again from its start.`;

/** One resource by its id; null with NOT_FOUND where there is none. */
export function byId<Arguments extends { [argument: string]: string }, Result>(
  target: Target,
  idOf: (args: Arguments, context: RequestContext) => string,
  idArgument?: string,
): RootField<Arguments, Result> {
  return {
    extensions: { plan: planObject(target, idArgument) },
    async resolve(_parent, args, context, info) {
      requireKey(context);
      const id = idOf(args, context);
      const field = fieldOf(info);
      const { byType } = planOf(field);
      const plan = byType.get(target);
      if (plan && context.loaders.contract.isPossibleId(id, target)) context.loaders.expect(plan);
      const { data } = await withCodes(() => context.loaders.load(target, id, field.key), {
        reference: { type: target, id },
      });
      await loadReferences(context, data, plan ?? byType.get(String(data.__typename)));
      context.scope.requireClient();
      return data as Result;
    },
  };
}

const planWrite = (field: Field, args: Json) => {
  const { tree, parentType, name } = field;
  checkBounds({ schema: tree.schema, parentType, fieldName: name }, args);
  return planWrites(field, { chains: [[{ endpoint: name, args }]] });
};

/** A field of Mutation. The executor runs the write when the input of all fields is right. */
const mutate: RootField<Json> = {
  extensions: { plan: planWrite },
  async resolve(_parent, args, context, info) {
    requireKey(context);
    // A bound that the input breaks, and an invalid condition in the selection, throw here, before any write.
    const [call] = plannedRoot(planWrite, args, context, info).calls;
    const field: WriteField = { info, args, key: String(info.path.key) };
    const write = await withCodes(() => prepareWrite(field, context));
    return () => showWrite(write, field, call.plan, context, info);
  },
};

/**
 * Shows the answer of the write, of a DELETE the id. Reads the other properties of the selection afterwards. An error of
 * that read stands beside the answer, and another one names the input that is not stored.
 */
async function showWrite(
  write: Write,
  field: WriteField,
  { byType }: Plan,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<Json | string> {
  const { kind, method } = endpointOf(field);
  const plan = byType.get(kind);
  const answer = await answerOf(write, field).catch((error: unknown) => {
    if (error instanceof ChangedError) return error;
    throw error;
  });
  if (answer instanceof ChangedError) {
    // The object as it is now, with the error beside it.
    context.errors.add(info, answer);
    context.loaders.seen.add(kind, answer.object, true);
    await loadReferences(context, answer.object, plan);
    return answer.object;
  }
  if (method === 'DELETE') return answer.id;
  learn(info.schema, context, kind, answer);
  const { data, failure } = await completed(field, context, { answer, plans: plan ? [plan] : [] });
  if (failure) context.errors.addFailedRead(info, failure);
  const difference = notStored(field, { ...data, ...answer });
  if (difference) context.errors.add(info, difference);
  await loadReferences(context, data, plan);
  return data;
}

/** The plan of the field. The check before the first call has made it, unless the arguments are refused. */
export function plannedRoot<Arguments, Root extends RootPlan>(
  plan: PlanRoot<Arguments, Root>,
  args: Arguments,
  { roots, service }: RequestContext,
  info: GraphQLResolveInfo,
): Root {
  const field = fieldOf(info);
  return (roots.get(field) as Root | undefined) ?? plan(field, args, service.limits.pageSize);
}

/** Loads the references that the selection needs, so that the resolvers below find them. */
function loadReferences(context: RequestContext, object: Json, plan: TypePlan | undefined): Promise<void> | undefined {
  if (!plan || plan.isLeaf) return undefined;
  return new ReferenceLoader(context.loaders).resolveAll([{ object, plan }]);
}
