import type { Field, Json } from '@gateway/base';
import { type Contract, contractOf } from '@gateway/contract';
import {
  argumentsOf,
  type Cost,
  type CostModel,
  type DerivedPlan,
  derivedValue,
  type Loaders,
  planOf,
  type RequestContext,
  refuseArgument,
  type SchemaPart,
} from '@gateway/rest-graph';
import type { DateTime } from '@gateway/upstream';
import type { GraphQLResolveInfo } from 'graphql';
import { lotsBefore } from './back.ts';
import type { Lineage } from './declared.ts';
import { lotsAfter } from './forward.ts';
import { type Found, type Trace, traceOf } from './trace.ts';

/** Fields that show the lots before and after a lot. */
export const lineage: SchemaPart = {
  resolvers(contract: Contract) {
    const declared = contract.data.parts.lineage as Lineage | undefined;
    if (!declared) return {};
    const { kind, list, back, forward } = declared;
    return {
      [kind]: {
        [back]: traceField(declared, {
          find: lotsBefore,
          cost: (model, objects) => model.objects(kind, generations(objects)),
        }),
        [forward]: traceField(declared, { find: lotsAfter, cost: (model) => model.everyRow(list) }),
      },
    };
  },
};

const mostDepth = 50;

/** Lots of a trace, about. The gateway holds them, whether the operation shows them or not. */
const usualLots = 14;

/** Lots of the generations that a lot usually has before it, of which most have two parents. */
function generations(lots: number): number[] {
  return [2, 4, 8].map((parents) => parents * lots);
}

interface Direction {
  find(
    start: Json & { id: string },
    way: { lineage: Lineage; depth: number; since?: DateTime | undefined; field: string },
    loaders: Loaders,
  ): Promise<Found>;
  cost(model: CostModel, objects: number): Cost;
}

function traceField(lineage: Lineage, { find, cost }: Direction) {
  const plan = (field: Field): DerivedPlan => {
    const name = `${field.parentType.name}.${field.name}`;
    const { depth, created_after: since } = argumentsOf(field) as {
      depth: number | null;
      created_after?: DateTime | null;
    };
    const below = planOf(field).byType.get('Trace');
    return {
      // A list inside an object counts as two.
      field,
      name,
      below,
      items: 1,
      objects: Math.max(usualLots, (usualLots / 2) * (below?.objects ?? 0)),
      check() {
        const isDepth = depth !== null && depth >= 1 && depth <= mostDepth;
        if (!isDepth) refuseArgument(field, 'depth', `must be a number from 1 to ${mostDepth}`);
      },
      cost,
      async load(start, loaders) {
        loaders.make(1);
        const way = { lineage, depth: depth as number, since: since ?? undefined, field: name };
        const value = traceOf(contractOf(field.tree.schema), lineage, await find(start, way, loaders));
        return { value, objects: [{ object: value as unknown as Json, plan: below }] };
      },
    };
  };
  return { resolve: showTrace, extensions: { derived: plan } };
}

function showTrace(object: Json, _args: object, context: RequestContext, info: GraphQLResolveInfo): Trace {
  const trace = derivedValue<Trace>(object, context, info);
  const { lots, sources, destinations } = trace;
  context.answer.requireRoomFor(lots.length + sources.length + destinations.length);
  return trace;
}
