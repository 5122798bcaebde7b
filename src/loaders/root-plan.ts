import { contractOf } from '../contract/of-schema.ts';
import type { Field } from '../graphql/executor/field-tree.ts';
import type { EndpointName, ListEndpointName } from '../upstream/endpoints.ts';
import type { Target } from './kinds.ts';
import { type PageArguments, type RowRange, rowRangeOf } from './lists/connection.ts';
import { listDigest } from './lists/cursor.ts';
import { type Filters, filtersOf } from './lists/filters.ts';
import { type ListPlan, listPlanOf, type Plan, planOf } from './plan.ts';

/** The objects that a field of Query or Mutation shows, and its calls of the service. */
export interface RootPlan<Calls extends readonly RootCall[] = readonly RootCall[]> {
  /** Objects in the answer, about. */
  objects: number;
  calls: Calls;
}

export type RootCall = ListCall | GetCall | WriteCall;

interface Call {
  /** The plan of each object that the call gives. */
  plan: Plan;
}

export interface ListCall extends Call {
  how: 'list';
  endpoint: ListEndpointName;
  filters: Filters;
  range: RowRange;
  needsRows: boolean;
  list: ListPlan;
}

interface GetCall extends Call {
  how: 'by id';
  target: Target;
  /** Undefined where the caller's token has the id. */
  ids: readonly (string | undefined)[];
}

/** Writes, each after the others of its chain. The chains run side by side. */
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

export function planObject(target: Target): PlanRoot<{ id?: string }> {
  return (field, { id }) => {
    const plan = planOf(field);
    return { objects: 1 + plan.objects, calls: [{ plan, how: 'by id', target, ids: [id] }] };
  };
}

export function planWrites(field: Field, write: Omit<WriteCall, 'how' | 'plan'>): RootPlan<[WriteCall]> {
  const plan = planOf(field);
  return { objects: write.chains.flat().length * (1 + plan.objects), calls: [{ plan, how: 'write', ...write }] };
}
