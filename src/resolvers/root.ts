import { GraphQLError, type GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.ts';
import { codedError, fromRestError } from '../errors.ts';
import { isById } from '../loaders/by-id.ts';
import { Connection, type PageArguments, windowOf } from '../loaders/connection.ts';
import { type Filters, rowKinds } from '../loaders/pages.ts';
import { covers, planOf } from '../loaders/plan.ts';
import { isRow, type Kind, type Target } from '../loaders/references.ts';
import { Walk } from '../loaders/walk.ts';
import { DateTime } from '../rest/date-time.ts';
import { type Answer, endpoints, type ListOperation, type Operation, type Row } from '../rest/endpoints.ts';
import { RestError } from '../rest/errors.ts';
import type { Json } from '../rest/json.ts';
import { checkBounds } from './bounds.ts';

type RootResolver<Arguments, Result> = (
  parent: unknown,
  args: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
) => Promise<Result>;

/** A list of the service, as one window of it. */
export function list<O extends ListOperation>(
  operation: O,
): RootResolver<PageArguments & Record<string, unknown>, Connection<Row<O> & Json>> {
  return read(async (args, context, info) => {
    const { pages } = context.loaders;
    const filters = filtersOf(operation, args);
    const window = windowOf(args, context.service.maxPageSize);
    if (window.fromEnd) {
      const count = await pages.count(operation, filters);
      const end = Math.max(count, window.start);
      window.start = Math.max(window.start, end - window.size);
      window.size = Math.min(window.size, end - window.start);
    }
    const plan = planOf(info, info.returnType, info.fieldNodes);
    const [selected] = plan.byType.values();
    const needsRows = selected?.embedded.some(({ key }) => key === 'results' || key === 'edges');
    const page =
      needsRows && window.size > 0
        ? await pages.window(operation, filters, window.start, window.size)
        : { count: await pages.count(operation, filters), rows: [] };
    for (const row of page.rows) {
      if (isRow(row)) continue;
      const message = `The service gave a ${rowKinds[operation]} without an id; it is left out.`;
      addBeside(context, info, codedError('UPSTREAM_INVALID_RESPONSE', message));
    }
    const connection = new Connection<Row<O> & Json>(page, window);
    await new Walk(context.loaders).resolve(connection as unknown as Json, `${rowKinds[operation]}Connection`, plan);
    return connection;
  });
}

/** One resource by its id; null with NOT_FOUND where there is none. */
export function byId<Result>(target: Target): RootResolver<{ id: string }, Result> {
  return read(async ({ id }, context, info) => {
    const { data } = await withCodes(() => context.loaders.load(target, id), { reference: { type: target, id } });
    await walk(context, info, target === 'Entity' ? String(data.__typename) : target, data);
    return data as Result;
  });
}

/** A write with a body. */
export function write<O extends Operation, Result = Answer<O>>(
  operation: O,
  kind: Kind,
): RootResolver<{ id?: string; input: object }, Result> {
  return mutate(kind, ({ id, input }, context) => sendBody(context, operation, input, id));
}

/** Sends the fields of `input`; what the service remarks on them is told by their place in it. */
export function sendBody(context: Context, operation: Operation, body: object, id?: string): Promise<Json> {
  return withCodes(() => context.write(operation, { ...(id !== undefined && { id }), body }), {
    pathPrefix: ['input'],
  });
}

/**
 * A field of Mutation. What the write answers is shown as it is; what the selection needs beyond that is read from the
 * service afterwards. Where that fails the write has still happened, so its answer is given with an error beside it.
 */
export function mutate<Arguments, Result>(
  kind: Kind,
  send: (args: Arguments, context: Context) => Promise<Json>,
): RootResolver<Arguments, Result> {
  return async (_parent, args, context, info) => {
    requireKey(context);
    checkBounds(info, args);
    let data = await withCodes(() => send(args, context));
    if (!isRow(data)) {
      const message = 'The service accepted the write, but its answer has no id.';
      throw codedError('UPSTREAM_INVALID_RESPONSE', message);
    }
    context.loaders.seen.add(kind, data, false);
    const known = { data, complete: false };
    const plan = planOf(info, info.returnType, info.fieldNodes).byType.get(kind);
    if (plan && !covers(known, plan) && isById(kind)) {
      try {
        const whole = await context.loaders.load(kind, data.id);
        data = { ...data, ...whole.data, id: data.id };
      } catch (error) {
        addBeside(context, info, error instanceof RestError ? fromRestError(error) : (error as GraphQLError));
      }
    }
    await walk(context, info, kind, data);
    return data as Result;
  };
}

function read<Arguments, Result>(
  load: (args: Arguments, context: Context, info: GraphQLResolveInfo) => Promise<Result>,
): RootResolver<Arguments, Result> {
  return (_parent, args, context, info) => {
    requireKey(context);
    return withCodes(() => load(args, context, info));
  };
}

/** Loads the references that the selection needs, so that the resolvers below find them. */
function walk(context: Context, info: GraphQLResolveInfo, type: string, data: Json): Promise<void> {
  const plan = planOf(info, info.returnType, info.fieldNodes);
  return new Walk(context.loaders).resolve(data, type, plan);
}

async function withCodes<T>(run: () => Promise<T>, details: Parameters<typeof fromRestError>[1] = {}): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof RestError ? fromRestError(error, details) : error;
  }
}

function requireKey(context: Context): void {
  if (!context.caller.authorization) {
    throw codedError('UNAUTHENTICATED', 'Send the API key in the Authorization header.');
  }
}

/** Absent and null filters filter nothing. Time filters are numbers in the specification, whatever form bodies have. */
function filtersOf(operation: ListOperation, args: Record<string, unknown>): Filters {
  const filters: Record<string, string> = {};
  const endpoint = endpoints[operation];
  for (const name of 'filters' in endpoint ? Object.keys(endpoint.filters) : []) {
    const value = args[name];
    if (value === undefined || value === null || value === false) continue;
    filters[name] = value instanceof DateTime ? value.in('unix') : String(value);
  }
  return filters;
}

export function addBeside(context: Context, info: GraphQLResolveInfo, error: GraphQLError): void {
  const path = [];
  for (let step: GraphQLResolveInfo['path'] | undefined = info.path; step; step = step.prev) path.unshift(step.key);
  context.besides.push(new GraphQLError(error.message, { nodes: info.fieldNodes, path, originalError: error }));
}
