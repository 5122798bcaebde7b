import { codedError, fieldOf, type Json, UpstreamError } from '@gateway/base';
import type { GraphQLFieldResolver } from 'graphql';
import { fromUpstreamError } from '../call/errors.ts';
import type { Contract } from '../contract/contract.ts';
import type { Reference } from '../contract/reference.ts';
import type { WayBack } from '../contract/way-back.ts';
import type { FoundRows } from '../load/lists/row-search.ts';
import { referenceValue } from '../load/references.ts';
import type { RequestContext } from '../request/context.ts';
import { objectOf } from './references.ts';

type Resolver = GraphQLFieldResolver<Json, RequestContext>;

/** Resolvers of the fields that show rows by what they refer to. They read rows that were found, and never call. */
export function wayBackResolvers(contract: Contract): Record<string, Record<string, Resolver>> {
  const types = Object.entries(contract.data.waysBack).map(([type, ways]) => [
    type,
    Object.fromEntries(Object.entries(ways).map(([field, way]) => [field, resolverOf(contract, type, way)])),
  ]);
  return Object.fromEntries(types);
}

function resolverOf(contract: Contract, type: string, way: WayBack): Resolver {
  const rowsOf = ({ id }: Json, context: RequestContext, info: Parameters<Resolver>[3]): FoundRows => {
    const found = context.loaders.rows.get(fieldOf(info))?.get(String(id));
    if (found instanceof UpstreamError) throw fromUpstreamError(found);
    if (found instanceof Error) throw found;
    return found ?? rowsNotLoaded(type, id);
  };
  const { list, gives } = way;
  if (gives === undefined) {
    return (object, _args, context, info) => {
      const rows = rowsOf(object, context, info);
      context.answer.requireRoomFor(rows.results.length);
      return rows;
    };
  }
  const reference = contract.references(contract.endpoint(list).kind)[gives] as Reference;
  return (object, _args, context, info) => {
    const { results, reason } = rowsOf(object, context, info);
    const [row] = results as Json[];
    const value = row ? referenceValue(row, gives, reference) : null;
    if (value !== null) return objectOf(value, reference.to, context, info);
    if (reason === null) return null;
    throw codedError('REFERENCE_UNRESOLVED', reason, { reference: { type, id: String(object.id) } });
  };
}

function rowsNotLoaded(type: string, id: unknown): never {
  throw new Error(`The rows of ${type} ${id} were not loaded.`);
}
