import { GraphQLSchema, validateSchema } from 'graphql';
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
