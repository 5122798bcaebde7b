import type { Contract, ContractPart, Endpoint } from '@gateway/contract/codegen';
import { graphName, scalarOf, sharedIdMistakes, words } from '@gateway/contract/codegen';
import { z } from 'zod';
import type { Lineage } from './declared.ts';

const key = 'x-lineage';

const declared = z.strictObject({
  parents: z.string(),
  source: z.string(),
  destination: z.string(),
  quantity: z.string(),
  back: graphName,
  forward: graphName,
  row: graphName,
});

type Declared = z.infer<typeof declared>;

/** The fields of a lineage, and the types of their values. */
const lineageContract: ContractPart = {
  name: 'lineage',
  keys: { [key]: declared },
  mistakesIn: (contract) => withLineage(contract).flatMap((endpoint, index) => mistakesOf(contract, endpoint, index)),
  typeDefs: (contract) =>
    withLineage(contract)
      .map((endpoint) => sdlOf(contract, endpoint))
      .join(''),
  references(contract): ReturnType<NonNullable<ContractPart['references']>> {
    const [endpoint] = withLineage(contract);
    if (!endpoint) return {};
    const { source, row } = declaredBy(endpoint);
    const owner = contract.types.get(endpoint.kind)?.references[source]?.to ?? '';
    return { TracedLot: { [row]: { to: endpoint.kind } }, TracedParty: { entity: { to: owner } } };
  },
  dataOf(contract): Lineage | undefined {
    const [endpoint] = withLineage(contract);
    return endpoint && { ...declaredBy(endpoint), list: endpoint.name as Lineage['list'], kind: endpoint.kind };
  },
};

export default lineageContract;

function withLineage({ endpoints }: Contract): Endpoint[] {
  return endpoints.filter(({ keys }) => keys[key]);
}

function declaredBy({ keys }: Endpoint): Declared {
  return keys[key] as Declared;
}

function mistakesOf(contract: Contract, endpoint: Endpoint, index: number): string[] {
  const { types, endpoints } = contract;
  const { at, kind, does, isNewestFirst } = endpoint;
  const { parents, source, destination, quantity, back, forward } = declaredBy(endpoint);
  const { properties = {}, references = {} } = types.get(kind) ?? {};
  const place = `${at}.${key}`;
  const owners = new Set(
    [source, destination].map((name) => (references[name]?.list ? undefined : references[name]?.to)),
  );
  const isById = endpoints.some((other) => other.does === 'get' && other.kind === kind);
  return [
    ...(index > 0 ? [`${place}: another list has a lineage`] : []),
    ...(does === 'list' && isNewestFirst ? [] : [`${place}: needs a list with x-newest-first`]),
    ...(isById ? [] : [`${place}: needs a GET of one ${kind}`]),
    ...(references[parents]?.list && references[parents]?.to === kind
      ? []
      : [`${place}.parents: ${kind}.${parents} is no list of references to ${kind}`]),
    ...(owners.size === 1 && !owners.has(undefined)
      ? []
      : [`${place}: ${kind}.${source} and ${kind}.${destination} refer to no objects of one type`]),
    ...sharedIdMistakes(contract, place, owners),
    ...(/^(Decimal|Float|Int)$/.test(scalarOf(properties[quantity] ?? {}))
      ? []
      : [`${place}.quantity: ${kind} has no property ${quantity} that is a number`]),
    ...[back, forward].filter((field) => properties[field]).map((field) => `${place}: ${kind} has a property ${field}`),
  ];
}

function sdlOf({ types }: Contract, endpoint: Endpoint): string {
  const { kind, rootField } = endpoint;
  const { back, forward, row, parents, source, destination, quantity } = declaredBy(endpoint);
  const owner = types.get(kind)?.references[source]?.to;
  const one = words(kind);
  const depth = `"Generations to follow: 1 to 50."\n    depth: Int = 10`;
  return `extend type ${kind} {
  """
  The lots that this ${one} came from, through \`${parents}\`: each once, however many ways lead to it. The lots of a generation
  load together, by one GET each at most, or as rows of \`${rootField}\` where that is cheaper.
  """
  ${back}(
    ${depth}
  ): Trace @semanticNonNull
  """
  The lots that came from this ${one}, through \`${parents}\` of later ones: each once. One look through \`${rootField}\`, the
  newest first, finds all generations. It ends at the time at which this ${one} was created, or at \`created_after\`. Lots that
  were entered with an earlier time are behind it: \`looked_back_to\` says how far the look went.
  """
  ${forward}(
    ${depth}
    "Look back to this time, in place of the time of this ${one}."
    created_after: DateTime
  ): Trace @semanticNonNull
}

"""
Lots that hang together, as a flat graph. Quantities are those of the lots themselves: the service does not say how much of a
lot went into another, so there are no shares.
"""
type Trace {
  "The lot itself comes first, then the nearest ones. Each stands once."
  lots: [TracedLot!]!
  "Who gave the lots without \`${parents}\`, in the order of these lots."
  sources: [TracedParty!]!
  "Who received the lots that no other lot here came from, in the order of these lots."
  destinations: [TracedParty!]!
  "True: no lot is missing, as far as the service shows them."
  complete: Boolean!
  "Why lots may be missing. Null when complete."
  reason: String
  "The look went back to this time. Null where it saw all lots, and where it went along \`${parents}\`."
  looked_back_to: DateTime
}

"A lot of a trace."
type TracedLot {
  "The ${one}. Null with an error where the service does not give it."
  ${row}: ${kind}
  "Id of \`${row}\`. No call."
  ${row}_id: ID!
  "Fewest steps from the lot that was asked for, which has 0."
  depth: Int!
  "Ids of the lots of this trace that it came from."
  parents: [ID!]!
  "Ids of the lots of this trace that came from it."
  children: [ID!]!
}

"Who gave or received lots of a trace."
type TracedParty {
  "Null where the lots do not say \`${source}\` or \`${destination}\`."
  entity: ${owner}
  "Id of \`entity\`. No call."
  entity_id: ID
  "Ids of the lots."
  lots: [ID!]!
  "Exact sum of the \`${quantity}\` of these lots. Null where one of them has none."
  quantity: Decimal
}
`;
}
