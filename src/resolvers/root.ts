import type { GraphQLError, GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../graphql/context.ts';
import {
  codedError,
  type FieldError,
  fieldsRefused,
  fromUpstreamError,
  inputNotStored,
} from '../graphql/errors/codes.ts';
import { fieldOf } from '../graphql/executor/run.ts';
import type { Json } from '../lib/json.ts';
import type { CallOrigin } from '../loaders/call-origins.ts';
import { Connection, type PageArguments, rowRangeOf } from '../loaders/connection.ts';
import { listDigest } from '../loaders/cursor.ts';
import { isById, type Kind, type Target } from '../loaders/kinds.ts';
import { filtersOf, isNewestFirst, rowFields } from '../loaders/list-filters.ts';
import { ReferenceLoader } from '../loaders/load-references.ts';
import { covers, loadsById, planOf, rowPlansOf, type TypePlan } from '../loaders/plan.ts';
import { readPage } from '../loaders/read-page.ts';
import { isRow } from '../loaders/references.ts';
import { type EndpointName, endpoints, type ListEndpointName } from '../upstream/endpoints.ts';
import { UpstreamError } from '../upstream/errors.ts';
import type { ListPage } from '../upstream/list-page.ts';
import { isPossibleId } from '../upstream/request-path.ts';
import { checkBounds } from './bounds.ts';
import { type Guard, guards } from './guards.ts';
import { storageMistakes } from './storable.ts';
import { inputDifferences, lacksInput } from './stored-input.ts';

type RootResolver<Arguments, Result = unknown> = (
  parent: unknown,
  args: Arguments,
  context: RequestContext,
  info: GraphQLResolveInfo,
) => Promise<Result>;

type RootResolvers = Record<string, RootResolver<never>>;

/** Fields of Query and Mutation, one for each endpoint. */
export const rootResolvers: { Query: RootResolvers; Mutation: RootResolvers } = {
  Query: { entity: byId('Entity', ({ id }: { id: string }) => id) },
  Mutation: {},
};

for (const [name, { does, kind, rootField }] of Object.entries(endpoints)) {
  if (does === 'list') rootResolvers.Query[rootField] = list(name as ListEndpointName);
  else if (does === 'get') rootResolvers.Query[rootField] = byId(kind, ({ id }: { id: string }) => id);
  else rootResolvers.Mutation[rootField] = write(name as EndpointName, kind);
}

/** One range of the rows of a list. */
function list(endpoint: ListEndpointName): RootResolver<PageArguments & Record<string, unknown>> {
  return async (_parent, args, context, info) => {
    requireKey(context);
    const rename = (parameter: string) => context.service.upstream.paths.argumentOf(endpoint, parameter);
    return withCodes(() => readList(endpoint, args, context, info), { rename });
  };
}

async function readList(
  endpoint: ListEndpointName,
  args: PageArguments & Record<string, unknown>,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<Connection> {
  const { pages } = context.loaders;
  const { kind } = endpoints[endpoint];
  const type = `${kind}Connection`;
  const filters = filtersOf(endpoint, args);
  const digest = () => listDigest({ endpoint, filters });
  const asked = rowRangeOf(args, context.service.limits.pageSize, digest);
  const origin: CallOrigin = { reason: 'root', fields: () => [String(info.path.key)] };
  const selected = planOf(fieldOf(info)).byType.get(type);
  const rowPlans = selected && asked.size > 0 ? rowPlansOf(selected, kind) : [];
  const hasReferences = rowPlans.some(loadsById);
  for (const plan of rowPlans) context.loaders.expect(plan);
  const page = await readPage(asked, {
    read: (range) => pages.range({ endpoint, filters, hasReferences, origin, ...range }),
    showsRows: selected?.keys.some(([key = '']) => rowFields.has(key)) ?? false,
  });
  context.answer.requireRoomFor(page.rows.length);
  const connection = new Connection(page, { digest, isNewestFirst: isNewestFirst(endpoint, filters) });
  reportRowsLeftOut(kind, page, connection, context, info);
  if (page.isUncertain) context.errors.add(info, codedError('UPSTREAM_INVALID_RESPONSE', uncertainPage));
  await loadReferences(context, info, type, connection as unknown as Json);
  context.scope.requireClient();
  return connection;
}

/** Adds an error for the rows in doubt. Each row that has no id, or that the service fails on, has its own. */
function reportRowsLeftOut(
  kind: Kind,
  { rows, doubts = [] }: ListPage,
  { results }: Connection,
  { errors }: RequestContext,
  info: GraphQLResolveInfo,
): void {
  if (doubts.length > 0) {
    const message = `This list may lack ${doubts.length} of its rows, because its pages contradict each other. Rows came or went in between, or rows of one time come in another order on each page. Ask again, or for fewer rows.`;
    errors.add(info, codedError('UPSTREAM_INVALID_RESPONSE', message));
  }
  if (results.length === rows.length) return;
  const field = fieldOf(info);
  const selected = field.objectTypes.flatMap((type) => field.select(type).fields);
  const place = selected.find(({ name }) => rowFields.has(name))?.key;
  const message = `The service gave a ${kind} without an id; it is left out.`;
  for (const row of rows) {
    if (row instanceof UpstreamError) errors.add(info, fromUpstreamError(row), place);
    else if (row !== undefined && !isRow(row)) errors.add(info, codedError('UPSTREAM_INVALID_RESPONSE', message));
  }
}

const uncertainPage =
  'Rows may be missing or come twice. The list has changed since it gave the cursor, or too many of its rows have one ' +
  '`created_on`. Read the list again from its start.';

/** One resource by its id; null with NOT_FOUND where there is none. */
export function byId<Arguments, Result>(
  target: Target,
  idOf: (args: Arguments, context: RequestContext) => string,
): RootResolver<Arguments, Result> {
  return async (_parent, args, context, info) => {
    requireKey(context);
    const id = idOf(args, context);
    const plan = planOf(fieldOf(info)).byType.get(target);
    if (plan && isPossibleId(id)) context.loaders.expect(plan);
    const { data } = await withCodes(() => context.loaders.load(target, id, String(info.path.key)), {
      reference: { type: target, id },
    });
    await loadReferences(context, info, target === 'Entity' ? String(data.__typename) : target, data);
    context.scope.requireClient();
    return data as Result;
  };
}

/** A write with a body. Over a service with the weaknesses of real deployments, a guard checks the input first. */
function write(endpoint: EndpointName, kind: Kind): RootResolver<{ id?: string; input: object }> {
  return mutate(kind, (args, context) => guardedWrite(context, endpoint, kind, args));
}

/** Checks the input, and prepares to send it. */
export async function guardedWrite(
  context: RequestContext,
  endpoint: EndpointName,
  kind: Kind,
  { id, input }: { id?: string; input: object },
): Promise<Write> {
  const guard = guards[endpoint] as Guard<object> | undefined;
  await refuseMistakes(context, endpoint, async () => [
    ...storageMistakes(input),
    ...((await guard?.(input, context)) ?? []),
  ]);
  return bodyWrite(context, endpoint, input, { kind, id });
}

/** @throws BAD_USER_INPUT for input that a real deployment of the service fails on, or does not store. */
export async function refuseMistakes(
  { calls, service }: RequestContext,
  endpoint: EndpointName,
  find: () => FieldError[] | Promise<FieldError[]>,
): Promise<void> {
  // Without the dialect the write is not sent either. Its record may answer it nevertheless.
  const dialect = await calls.dialect(() => [endpoint]).catch(() => undefined);
  if (dialect !== 'connect') return;
  const mistakes = await find();
  // The gateway may have known more when it sent the write, such as the options of a premium.
  if (mistakes.length === 0 || (await calls.isRecorded())) return;
  const { advice } = service.upstream.dialect;
  const summary = 'The service is known to fail on this, or not to store it';
  throw fieldsRefused(`${advice ? `${advice} ` : ''}${summary}`, mistakes);
}

/** Sends a write whose input is right. */
type Write = () => Promise<Json>;

/** Prepares to send the fields of `input`. Validation errors of the service name their place in it. */
export async function bodyWrite(
  context: RequestContext,
  endpoint: EndpointName,
  body: object,
  { kind, id, rename }: { kind?: Kind; id?: string | undefined; rename?: (name: string) => string } = {},
): Promise<Write> {
  const details = {
    pathPrefix: ['input'],
    ...(rename && { rename }),
    ...(kind && id !== undefined && { reference: { type: kind, id } }),
  };
  const subject = id === undefined ? {} : { id };
  const write = await withCodes(async () => context.calls.prepareWrite(endpoint, subject), details);
  return () => withCodes(() => write({ body }), details);
}

/**
 * A field of Mutation. `prepare` checks the input, and returns the write. The executor runs the write when the input of all
 * fields is right.
 */
export function mutate<Arguments, Result>(
  kind: Kind,
  prepare: (args: Arguments, context: RequestContext) => Promise<Write>,
): RootResolver<Arguments, Result> {
  return async (_parent, args, context, info) => {
    requireKey(context);
    context.calls.field = String(info.path.key);
    checkBounds(info, args);
    // An invalid condition in the selection throws here, before any write.
    const plan = planOf(fieldOf(info)).byType.get(kind);
    const write = await withCodes(() => prepare(args, context));
    return (() => showWrite(kind, write, args as Json, plan, context, info)) as Result;
  };
}

/**
 * Shows the answer of the write. Reads the other properties of the selection afterwards, and fields of the input that the
 * answer lacks. The write has happened even if that read fails, so its answer then comes with an extra error. Another one
 * names the input that is not stored.
 */
async function showWrite(
  kind: Kind,
  write: Write,
  args: Json,
  plan: TypePlan | undefined,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<Json> {
  const field = String(info.path.key);
  context.calls.field = field;
  const answer = await withCodes(() => answerOf(kind, write, args, info));
  let data = answer;
  if (!isRow(data)) {
    const message = 'The service accepted the write, but its answer has no id.';
    throw codedError('UPSTREAM_INVALID_RESPONSE', message);
  }
  context.loaders.seen.add(kind, data, false);
  context.service.parts.learn(context.caller.digest, data);
  const isPartial = (plan && !covers({ data, complete: false }, plan)) || lacksInput(args, data);
  if (isPartial && isById(kind)) {
    try {
      const whole = await context.loaders.load(kind, data.id, field);
      data = { ...data, ...whole.data, id: data.id };
    } catch (error) {
      context.errors.add(info, error instanceof UpstreamError ? fromUpstreamError(error) : (error as GraphQLError));
    }
  }
  const differences = inputDifferences(info, args, { ...data, ...answer });
  if (differences.length > 0) context.errors.add(info, inputNotStored(differences));
  await loadReferences(context, info, kind, data);
  return data;
}

/**
 * The object that the service has made or changed. Where it has made none, the object that it answers instead counts only if
 * it equals the input.
 * @throws CONFLICT with the id of another object that stands in the way.
 */
async function answerOf(kind: Kind, write: Write, args: Json, info: GraphQLResolveInfo): Promise<Json> {
  try {
    return await write();
  } catch (error) {
    const existing = error instanceof UpstreamError ? error.existing : undefined;
    if (!existing) throw error;
    if (inputDifferences(info, args, existing).length === 0) return existing;
    throw fromUpstreamError(error as UpstreamError, { reference: { type: kind, id: String(existing.id) } });
  }
}

/** Loads the references that the selection needs, so that the resolvers below find them. */
function loadReferences(context: RequestContext, info: GraphQLResolveInfo, type: string, data: Json): Promise<void> {
  return new ReferenceLoader(context.loaders).resolve(data, type, planOf(fieldOf(info)));
}

async function withCodes<T>(run: () => Promise<T>, details: Parameters<typeof fromUpstreamError>[1] = {}): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // `answerOf` decides whether an object that was there is an error.
    throw error instanceof UpstreamError && !error.existing ? fromUpstreamError(error, details) : error;
  }
}

function requireKey({ caller, calls: { refusal } }: RequestContext): void {
  if (!caller.headers.authorization) {
    throw codedError('UNAUTHENTICATED', 'Send the API key in the Authorization header.');
  }
  if (refusal !== undefined) throw refusal instanceof UpstreamError ? fromUpstreamError(refusal) : refusal;
}
