import { GraphQLSchema, validateSchema } from 'graphql';
import { expect, test } from 'vitest';
import { traceability } from '../../src/app/app.ts';
import { executableSchema } from '../../src/graphql/schema.ts';

test.each([false, true])('the schema is valid, with federation %s', (federation) => {
  const config = executableSchema(traceability, { federation }).toConfig();
  expect(validateSchema(new GraphQLSchema({ ...config, assumeValid: false }))).toEqual([]);
});
