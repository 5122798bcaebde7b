import { type Field, type Json, madeOnce } from '@gateway/base';
import {
  type Contract,
  conditionIn,
  contractOf,
  type EndpointName,
  type ListEndpointName,
  type Target,
} from '@gateway/contract';
import { type PageArguments, type RowRange, rowFields, rowRangeOf } from '../load/lists/connection.ts';
import { listDigest } from '../load/lists/cursor.ts';
import { type FilteredList, filtersOf } from '../load/lists/filters.ts';
import type { Plan, PlanDerived, TypePlan } from './plan.ts';
import { planOf } from './selection-plan.ts';

/** The objects that a field of Query or Mutation shows, and its calls of the service. */
export interface RootPlan<Calls extends readonly RootCall[] = readonly RootCall[]> {
  /** Objects in the answer, about. */
  objects: number;
  calls: Calls;
}

export type RootCall = ListCall | LookCall | GetCall | WriteCall;

interface Call {
  /** The plan of each object that the call gives. */
  plan: Plan;
}

export interface ListCall extends Call, FilteredList {
  how: 'list';
  range: RowRange;
  needsRows: boolean;
  list: ListPlan;
}

/** A look through the rows of a list, whose values refer to so many objects. */
interface LookCall extends Call, FilteredList {
  how: 'look';
  objects: number;
  /** The gateway may know the rows that it needs, and make no call. */
  mayBeKnown?: true;
}

interface GetCall extends Call {
  how: 'by id';
  target: Target;
  /** Undefined where the caller's token has the id. */
  ids: readonly (string | undefined)[];
}

/** Writes, each after the others of its chain, and the GETs before them. The chains run side by side. */
interface WriteCall extends Call {
  how: 'write';
  chains: readonly (readonly EndpointName[])[];
  /** Each chain has a budget of calls of its own. Throws for more such writes than one operation may have. */
  requireFew?: ((writes: number, http: { status: number }) => void) | undefined;
}

/**
 * Plans a root field with these arguments. It stands in the extensions of the field, beside its resolver.
 * @throws for arguments that the resolver refuses.
 */
export type PlanRoot<Arguments = never, Root = RootPlan> = (field: Field, args: Arguments, maxPageSize: number) => Root;

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** Absent where the field never calls the service. */
    plan?: PlanRoot;
    /** Absent where an object has the value, or refers to it. */
    derived?: PlanDerived;
    /** The rows beside the field come from no earlier read: they must not be older than its value. */
    readsFresh?: boolean;
  }
}

/** A range of the rows of a list. */
export function planList(
  endpoint: ListEndpointName,
): PlanRoot<PageArguments & Record<string, unknown>, RootPlan<[ListCall]>> {
  return (field, args, maxPageSize) => {
    const described = contractOf(field.tree.schema).endpoint(endpoint);
    const filters = filtersOf(described, args);
    const range = rowRangeOf(args, maxPageSize, () => listDigest({ endpoint, filters }));
    const plan = planOf(field);
    const list = listPlanOf(field, described.kind);
    const needsRows = range.size > 0 && list.showsRows;
    const objects = needsRows ? range.size * plan.objects : 1;
    return { objects, calls: [{ plan, how: 'list', endpoint, filters, range, needsRows, list }] };
  };
}

export function planObject(target: Target, idArgument = 'id'): PlanRoot<{ [argument: string]: string }> {
  return (field, { [idArgument]: id }) => {
    const plan = planOf(field);
    return { objects: 1 + plan.objects, calls: [{ plan, how: 'by id', target, ids: [id] }] };
  };
}

/** Plans chains of writes, each with its arguments. */
export function planWrites(
  field: Field,
  { chains, requireFew }: { chains: readonly (readonly PlannedWrite[])[]; requireFew?: WriteCall['requireFew'] },
): RootPlan<[WriteCall]> {
  const plan = planOf(field);
  const contract = contractOf(field.tree.schema);
  const calls = chains.map((chain) => chain.flatMap((write) => callsOf(contract, write)));
  const objects = chains.flat().length * (1 + plan.objects);
  return { objects, calls: [{ plan, how: 'write', chains: calls, requireFew }] };
}

interface PlannedWrite {
  endpoint: EndpointName;
  args: Json;
}

/** A write under a condition reads its object first. */
function callsOf(contract: Contract, { endpoint: name, args }: PlannedWrite): EndpointName[] {
  const endpoint = contract.endpoint(name);
  return conditionIn(endpoint, args) === undefined ? [name] : [contract.getEndpoint(endpoint.kind), name];
}

export function writesIn(contract: Contract, { chains }: WriteCall): number {
  return chains.flat().filter((name) => contract.endpoint(name).does === 'write').length;
}

/** The plans for the rows of a connection, which shows them as results, edges, or both. */
function rowPlansOf(connection: TypePlan, kind: string): TypePlan[] {
  const { embedded } = connection;
  const rows = embedded.flatMap(({ key, plan }) =>
    key === 'edges' ? [...plan.byType.values()].flatMap((edge) => edge.embedded.map((node) => node.plan)) : [plan],
  );
  return rows.flatMap(({ byType }) => byType.get(kind) ?? []);
}

/** The selection of the rows of a connection. */
interface ListPlan {
  /** The plan of the connection itself. */
  connection: TypePlan | undefined;
  /** The plans of its rows. */
  rows: readonly TypePlan[];
  showsRows: boolean;
  /** The rows refer to objects that come by id. */
  hasReferences: boolean;
}

const listPlans = new WeakMap<Field, ListPlan>();

/** The plan of a field that shows a list. */
function listPlanOf(field: Field, kind: Target): ListPlan {
  return madeOnce(listPlans, field, () => {
    const contract = contractOf(field.tree.schema);
    const connection = planOf(field).byType.get(`${kind}Connection`);
    const rows = connection ? rowPlansOf(connection, kind) : [];
    const showsRows = connection?.keys.some(([key = '']) => rowFields.has(key)) ?? false;
    return { connection, rows, showsRows, hasReferences: rows.some((row) => loadsById(row, contract)) };
  });
}

/** Objects with this selection refer to others, which come by id. */
function loadsById({ references }: TypePlan, contract: Contract): boolean {
  return references.some(
    ({ reference: { to }, isEmbedded, plan }) =>
      !plan.needsNothing && !isEmbedded && (contract.union(to) !== undefined || contract.isById(to)),
  );
}
