import { type Metric, madeOnce } from '@gateway/base';
import type { Contract } from '@gateway/contract';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import type { App } from '../request/app.ts';
import { fitToAnswers } from './defaults.ts';
import { referenceResolvers } from './references.ts';
import { rootResolvers } from './root.ts';
import { parseJsonLiteral, parseJsonValue, scalars } from './scalars.ts';
import { waysBackOf } from './ways-back.ts';

type Resolvers = Readonly<Record<string, object>>;

/** Fields that a part adds to the schema. A field of Query or Mutation says in `extensions.plan` what it costs. */
export interface SchemaPart {
  /** SDL; absent where the SDL of the app has the fields. */
  typeDefs?: string;
  /** Resolvers by type and field. */
  resolvers: Resolvers | ((contract: Contract) => Resolvers);
  /** Metrics of the fields. */
  metrics?: readonly Metric[];
}

/** Schemas by their parts: the app, then one part after the other. */
interface Made {
  schema?: GraphQLSchema;
  readonly withPart: WeakMap<SchemaPart, Made>;
}

const schemas = new WeakMap<App, Made>();

/** The schema, which takes long to make and which nothing changes. All gateways of a process with the same parts share it. */
export function executableSchema(app: App, parts: readonly SchemaPart[] = []): GraphQLSchema {
  const notMade = (): Made => ({ withPart: new WeakMap() });
  const ofApp = madeOnce(schemas, app, notMade);
  const made = parts.reduce((before, part) => madeOnce(before.withPart, part, notMade), ofApp);
  made.schema ??= newSchema(app, parts);
  return made.schema;
}

function newSchema(app: App, parts: readonly SchemaPart[]): GraphQLSchema {
  const { contract, fields = [] } = app;
  const schema = makeExecutableSchema({
    typeDefs: [app.typeDefs, ...parts.flatMap(({ typeDefs }) => typeDefs ?? [])],
    // The fields of the app replace those that follow from the contract.
    resolvers: laterWins([
      scalars,
      referenceResolvers(contract),
      waysBackOf(contract),
      rootResolvers(contract),
      ...fields,
      ...parts.map(({ resolvers }) => (typeof resolvers === 'function' ? resolvers(contract) : resolvers)),
    ]),
    // Tests validate both, which takes a third of the time that the schema takes.
    updateResolversInPlace: true,
    assumeValidSDL: true,
    assumeValid: true,
  });
  schema.extensions = { ...schema.extensions, app, contract };
  fitToAnswers(schema);
  Object.assign(schema.getType('JSON') ?? {}, { parseValue: parseJsonValue, parseLiteral: parseJsonLiteral });
  return schema;
}

/** A field replaces one of the same name as a whole, with its plan. The library would merge their properties. */
function laterWins(maps: readonly Resolvers[]): Record<string, object> {
  const merged: Record<string, object> = {};
  for (const [type, fields] of maps.flatMap(Object.entries)) {
    merged[type] = merged[type] ? { ...merged[type], ...fields } : fields;
  }
  return merged;
}

/** @throws Error for a field of Query or Mutation that no part answers. */
export function requireAnswers(schema: GraphQLSchema): void {
  const unanswered = [schema.getQueryType(), schema.getMutationType()].flatMap((root) => {
    const fields = Object.values(root?.getFields() ?? {}).filter(({ resolve }) => !resolve);
    return fields.map(({ name }) => `${root?.name}.${name}`);
  });
  if (unanswered.length === 0) return;
  throw new Error(`Nothing answers ${unanswered.join(', ')}: open the service with the parts that have these fields.`);
}
