import { execute, type GraphQLFieldResolver, type GraphQLSchema, getNamedType, parse } from 'graphql';
import { viewOf } from './answers.ts';
import {
  type Caller,
  givenBy,
  isSeen,
  type Kind,
  kindOf,
  type Reference,
  shownIn,
  type Thing,
  type World,
} from './world.ts';

interface Arguments {
  id?: string;
  input?: object;
  limit?: number;
  offset?: number;
}

/**
 * The answer of GraphQL.js over the objects of the world, and the paths of objects that the caller cannot see. `unsure`: those
 * of a union, whose kind another row may show.
 */
export async function expectedOf(world: World, schema: GraphQLSchema, document: string, caller: Caller) {
  const unseen = new Set<string>();
  const unsure: (string | number)[][] = [];
  const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null && 'refers' in value;
  const resolve: GraphQLFieldResolver<unknown, unknown> = (source, args, _context, info) => {
    const { fieldName: field, parentType, path } = info;
    if (parentType.name === 'Query' || parentType.name === 'Mutation') return rootOf(field, args);
    if (!isThing(source)) {
      const line = source as { target?: Thing | null; to: string };
      if (line.target === undefined || field === 'text') return (source as Record<string, unknown>)[field];
      if (field === 'of_id') return line.target?.id ?? null;
      if (line.target === null || isSeen(line.target, caller)) return line.target;
      const at: (string | number)[] = [];
      for (let step: typeof path | undefined = path; step; step = step.prev) at.unshift(step.key);
      unseen.add(at.join('.'));
      if (world.unions.some(({ name }) => name === line.to)) unsure.push(at);
      return line.target;
    }
    const steps: (string | number)[] = [];
    for (let step: typeof path | undefined = path; step; step = step.prev) steps.unshift(step.key);
    const see = (thing: Thing | null, { to }: Reference, ...below: number[]) => {
      if (!thing || isSeen(thing, caller)) return thing;
      unseen.add([...steps, ...below].join('.'));
      if (world.unions.some(({ name }) => name === to)) unsure.push([...steps, ...below]);
      return thing;
    };
    if (!isSeen(source, caller)) return field === 'id' ? source.id : null;
    if (field === 'view') return viewOf(source, caller);
    const [, rows = '', way = '', by = ''] = /^(\w+)_(by|last)_(\w+)$/.exec(field) ?? [];
    const all = seenOf(rows).filter(({ refers }) => {
      const target = refers[by];
      return target && !target.isGone && target.kind === source.kind && target.id === source.id;
    });
    if (way === 'by') return { results: all.slice(0, args.limit ?? 20), complete: true, reason: null };
    if (way === 'last') {
      const shown = shownIn(world.kinds.find(({ name }) => name === rows) as Kind);
      const given = givenBy(shown, shown.find((each) => each.field === by) as Reference);
      return see(all.find(({ isOpen }) => isOpen)?.refers[given.field] ?? null, given);
    }
    for (const reference of kindOf(world, source).references) {
      const { field: name, isList } = reference;
      const target = source.refers[name] ?? null;
      if (field === `${name}_kind`) return target && `is ${target.kind}`;
      if (field === `${name}_id`) return target?.id ?? null;
      if (field === `${name}_ids`) return source.refersToAll[name]?.map(({ id }) => id);
      if (field !== name && field !== `${name}_details`) continue;
      const all = source.refersToAll[name];
      return isList ? all?.map((each, index) => see(each, reference, index)) : see(target, reference);
    }
    return source[field as keyof Thing];
  };
  const typeResolver = (value: unknown, _context: unknown, { returnType }: { returnType: unknown }) => {
    const thing = value as Thing;
    return isSeen(thing, caller) ? thing.kind : `Unknown${getNamedType(returnType as never)}`;
  };
  const { data, errors = [] } = await execute({
    ...{ schema, document: parse(document), fieldResolver: resolve, typeResolver },
  });
  if (errors.length > 0) throw errors[0];
  return { data: JSON.parse(JSON.stringify(data)), unseen, unsure };

  function seenOf(kind: string): Thing[] {
    return (world.things.get(kind) ?? []).filter((thing) => isSeen(thing, caller));
  }

  function rootOf(field: string, { id, input, limit = 20, offset = 0 }: Arguments): unknown {
    const isNamed = (name: string) => name.toLowerCase() === field.toLowerCase();
    const listed = world.kinds.find(({ name }) => isNamed(`${name}s`));
    if (listed) {
      const all = seenOf(listed.name);
      const results = all.slice(offset, offset + limit);
      return { count: all.length, results, edges: results.map((node) => ({ node })) };
    }
    const kinds = world.unions.find(({ name }) => isNamed(name))?.kinds ?? [field.replace('update', '')];
    const found = kinds.flatMap((kind) => world.kinds.filter(({ name }) => name.toLowerCase() === kind.toLowerCase()));
    const thing = found.flatMap(({ name }) => seenOf(name)).find((each) => each.id === id);
    return input === undefined ? thing : Object.assign(thing as Thing, input);
  }
}
