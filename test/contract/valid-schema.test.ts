import { GraphQLSchema, validateSchema } from 'graphql';
import { expect, test } from 'vitest';
import { serviceContract } from '../../src/contract/service-contract.ts';
import { executableSchema } from '../../src/graphql/schema.ts';

test.each([false, true])('the schema is valid, with federation %s', (federation) => {
  const config = executableSchema(serviceContract, { federation }).toConfig();
  expect(validateSchema(new GraphQLSchema({ ...config, assumeValid: false }))).toEqual([]);
});
