import { argumentOf, type Contract, type ContractPart, type Endpoint, type Reference } from '@gateway/contract/codegen';
import { balanceTypes, insideType, type Totals, totalsTypes } from './declared.ts';
import { type Declared, declaration, declaredBy, key, withTotals } from './key.ts';
import { mistakesOf } from './mistakes.ts';
import { enumTypeOf, sdlOf } from './sdl.ts';

/** The fields of totals and balances, and the types of their values. */
const totalsContract: ContractPart = {
  name: 'totals',
  keys: { [key]: declaration },
  mistakesIn: (contract) => withTotals(contract).flatMap((endpoint) => mistakesOf(contract, endpoint)),
  typeDefs: (contract) =>
    withTotals(contract)
      .map((endpoint) => sdlOf(contract, endpoint))
      .join(''),
  references: (contract) =>
    Object.assign({}, ...withTotals(contract).map((endpoint) => referencesOf(contract, endpoint))),
  dataOf: (contract): Totals[] => withTotals(contract).map((endpoint) => dataOf(contract, endpoint)),
};

export default totalsContract;

type References = Readonly<Record<string, Readonly<Record<string, Reference>>>>;

/** Groups hold what the rows hold: objects where rows embed them, ids otherwise. */
function referencesOf({ types }: Contract, endpoint: Endpoint): References {
  const { kind } = endpoint;
  const { groupBy, unit, inside, balances } = declaredBy(endpoint);
  const among = (type: string, fields: readonly (string | undefined)[]) => {
    const { references = {} } = types.get(type) ?? {};
    const found = fields.flatMap((field) => {
      const reference = field === undefined ? undefined : references[field];
      return field !== undefined && reference ? [[field, shownIn(field, reference)] as const] : [];
    });
    return Object.fromEntries(found);
  };
  const embedded = types.get(kind)?.embedded ?? {};
  return {
    [totalsTypes(kind).total]: among(kind, [...groupBy, unit]),
    ...Object.fromEntries(
      inside.map((each) => [insideType(kind, each), among(embedded[each.of] ?? '', [each.by, unit])]),
    ),
    ...Object.fromEntries(balances.map((balance) => [balanceTypes(balance).item, among(kind, [balance.of])])),
  };
}

/** The objects that rows embed stand in the property of the group itself. */
function shownIn(field: string, { to, details, probeFirst, mayBeEmbedded, expandedById }: Reference): Reference {
  return {
    to,
    ...(details !== undefined && { within: field }),
    ...(probeFirst !== undefined && { probeFirst }),
    ...((details !== undefined || mayBeEmbedded || expandedById) && { mayBeEmbedded: true }),
  };
}

function dataOf({ types }: Contract, endpoint: Endpoint): Totals {
  const { name, kind, filters } = endpoint;
  const { month, unit, inside, on, balances, ...declared }: Declared = declaredBy(endpoint);
  const { embedded = {}, properties = {} } = types.get(kind) ?? {};
  return {
    list: name,
    kind,
    ...declared,
    enums: declared.groupBy.filter((field) => enumTypeOf(properties[field])),
    ...(month !== undefined && { month }),
    ...(unit !== undefined && { unit }),
    inside: inside.map((each) => ({ ...each, kind: embedded[each.of] ?? '' })),
    on: on.map(({ description: _description, by, ...each }) => {
      const filter = filters.find(({ name }) => name === by);
      return { ...each, ...(filter && { by: argumentOf(filter) }) };
    }),
    balances: balances.map(({ description: _description, left, ...each }) => ({
      ...each,
      ...(left !== undefined && { left }),
    })),
  };
}
