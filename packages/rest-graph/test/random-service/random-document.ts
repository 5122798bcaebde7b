import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isUnionType,
} from 'graphql';
import type { Chance } from './chance.ts';
import { type Caller, isSeen, type World } from './world.ts';

/** A document of GraphQL with aliases, fragments and directives, for objects that the caller sees. */
export function randomDocument(world: World, schema: GraphQLSchema, caller: Caller, chance: Chance): string {
  const isMutation = schema.getMutationType() != null && chance.is(0.25);
  const root = (isMutation ? schema.getMutationType() : schema.getQueryType())?.getFields() ?? {};
  let aliases = 0;
  const newAlias = () => {
    aliases += 1;
    return `a${aliases}`;
  };
  const roots = chance.list(1 + chance.below(3), () => rootField(chance.of(Object.values(root)))).filter(Boolean);
  return roots.length === 0 ? '' : `${isMutation ? 'mutation ' : ''}{ ${roots.join(' ')} }`;

  function rootField({ name, type }: GraphQLField<unknown, unknown>): string {
    const shown = getNamedType(type) as GraphQLCompositeType;
    const alias = newAlias();
    if (shown.name.endsWith('Connection')) {
      const args = chance.of(['', '(limit: 3)', '(limit: 5, offset: 1)', '(limit: 100)', '(limit: 0)']);
      const rows = select(rowsOf(shown), 4);
      return `${alias}: ${name}${args} { count ${chance.of([`results { ${rows} }`, `edges { node { ${rows} } }`])} }`;
    }
    const things = (world.unions.find((each) => each.name === shown.name)?.kinds ?? [shown.name]).flatMap(
      (kind) => world.things.get(kind) ?? [],
    );
    const seen = things.filter((thing) => isSeen(thing, caller));
    if (seen.length === 0) return '';
    const input = isMutation ? `, input: { name: "New ${chance.below(100)}" }` : '';
    return `${alias}: ${name}(id: "${chance.of(seen).id}"${input}) { ${select(shown, 4)} }`;
  }

  function rowsOf(type: GraphQLCompositeType): GraphQLCompositeType {
    const { results } = isUnionType(type) ? {} : type.getFields();
    const rows = results && getNamedType(results.type);
    if (!isCompositeType(rows)) throw new Error(`${type} shows no rows.`);
    return rows;
  }

  function select(type: GraphQLCompositeType, depth: number): string {
    if (isUnionType(type)) return '__typename';
    const fields = Object.values(type.getFields());
    const chosen = chance.list(1 + chance.below(4), () => fieldOf(chance.of(fields), depth));
    const fragments = isInterfaceType(type)
      ? schema
          .getPossibleTypes(type)
          .filter(() => depth > 0 && chance.is(0.4))
          .map((each) => `... on ${each.name} { ${select(each, depth - 1)} }`)
      : [];
    const all = [chance.is(0.3) && 'id', chance.is(0.2) && '__typename', ...chosen, ...fragments].filter(Boolean);
    return all.length > 0 ? all.join(' ') : '__typename';
  }

  function fieldOf({ name, type }: GraphQLField<unknown, unknown>, depth: number): string {
    const shown = getNamedType(type);
    const condition = chance.is(0.05) ? ' @include(if: true)' : chance.is(0.04) ? ' @skip(if: true)' : '';
    if (!isCompositeType(shown)) return name + condition;
    if (depth === 0) return '';
    const alias = newAlias();
    if (!shown.name.endsWith('Rows')) return `${alias}: ${name}${condition} { ${select(shown, depth - 1)} }`;
    const rows = select(rowsOf(shown), Math.min(1, depth - 1));
    return `${alias}: ${name}(limit: ${1 + chance.below(4)})${condition} { complete results { ${rows} } }`;
  }
}
