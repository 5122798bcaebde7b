import { type GraphQLSchema, getOperationAST, getVariableValues, parse, validate } from 'graphql';
import { badRequest } from '../errors/refusals.ts';
import { ValidDocument } from './operation.ts';
import type { ExecutionArgs, Variables } from './run.ts';

/**
 * Makes one operation ready to run: parsed, validated, with its variables coerced.
 * @throws GraphQLError for the first mistake.
 */
export function prepare(schema: GraphQLSchema, text: string, variables: Variables = {}): ExecutionArgs {
  const document = parse(text);
  const [mistake] = validate(schema, document);
  if (mistake) throw mistake;
  const definition = getOperationAST(document);
  if (!definition) throw badRequest('The document has no operation, or several.');
  const { errors, coerced } = getVariableValues(schema, definition.variableDefinitions ?? [], variables);
  if (errors) throw errors[0];
  const operation = new ValidDocument(schema, document).operation(definition);
  return { operation, tree: operation.tree(coerced), variables, variableValues: coerced, contextValue: undefined };
}
