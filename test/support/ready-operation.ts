import { getVariableValues, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { expect } from 'vitest';
import { ValidDocument } from '../../packages/base/executor/operation.ts';
import type { ExecutionArgs } from '../../packages/base/executor/run.ts';
import { executableSchema } from '../../packages/rest-graph/graph/schema.ts';
import { rootPlansOf } from '../../packages/rest-graph/plan/operation-plan.ts';
import type { RootCall } from '../../packages/rest-graph/plan/root-plan.ts';
import { traceability } from '../../src/app.ts';
import { schemaParts } from '../../src/compose.ts';

export const schema = executableSchema(traceability, schemaParts);

/** The run of a document with one operation, as the gateway has it before its first call. */
export function ready(document: string, variables: Record<string, unknown> = {}): ExecutionArgs {
  const ast = parse(document);
  expect(validate(schema, ast)).toEqual([]);
  const definition = ast.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;
  const { coerced, errors } = getVariableValues(schema, definition.variableDefinitions ?? [], variables);
  if (!coerced) throw errors[0];
  const operation = new ValidDocument(schema, ast).operation(definition);
  return { operation, tree: operation.tree(coerced), variableValues: coerced, contextValue: undefined };
}

/** The calls that the root fields of such a document ask for. */
export function readyCalls(document: string, variables: Record<string, unknown> = {}): RootCall[] {
  return [...rootPlansOf(ready(document, variables), 1_000).values()].flatMap(({ calls }) => [...calls]);
}
