import { getVariableValues, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { expect } from 'vitest';
import type { ReadyOperation } from '../../src/graphql/root-calls.ts';
import { createSchema } from '../../src/graphql/schema.ts';

export const schema = createSchema();

/** A document with one operation, as the gateway has it before it runs. */
export function ready(document: string, variables: Record<string, unknown> = {}): ReadyOperation {
  const ast = parse(document);
  expect(validate(schema, ast)).toEqual([]);
  const operation = ast.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;
  const { coerced: variableValues, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (!variableValues) throw errors[0];
  const fragments = ast.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const byName = Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
  return { schema, operation, fragments: byName, variableValues, maxPageSize: 1_000 };
}
