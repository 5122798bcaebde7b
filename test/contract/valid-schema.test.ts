import { GraphQLSchema, isObjectType, validateSchema } from 'graphql';
import { expect, test } from 'vitest';
import { subgraphFields } from '../../packages/federation/subgraph.ts';
import { executableSchema } from '../../packages/rest-graph/graph/schema.ts';
import { traceability } from '../../src/app.ts';
import { schemaParts } from '../../src/compose.ts';

test.each([false, true])('the schema is valid, with federation %s', (federation) => {
  const config = executableSchema(traceability, [
    ...schemaParts,
    ...(federation ? [subgraphFields(traceability)] : []),
  ]).toConfig();
  expect(validateSchema(new GraphQLSchema({ ...config, assumeValid: false }))).toEqual([]);
});

test('each `complete` of the graph speaks of what the service shows to the key', () => {
  const types = Object.values(executableSchema(traceability, schemaParts).getTypeMap()).filter(isObjectType);
  const said = types.flatMap((type) => {
    const description = type.getFields().complete?.description;
    return description ? [[type.name, description]] : [];
  });

  expect(said.length).toBeGreaterThan(5);
  const form = /^True: .*, as far as the service shows them\./;
  expect(said.filter(([, description = '']) => !form.test(description))).toEqual([]);
});
