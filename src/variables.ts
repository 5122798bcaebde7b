import {
  type ASTNode,
  coerceInputValue,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  visit,
} from 'graphql';
import { codedError, type FieldError } from './errors.ts';

/**
 * Holds the variables of an operation against their types, before the operation runs: graphql-js stops at the message,
 * a form wants to know which of its fields are wrong.
 * @throws BAD_USER_INPUT with every violation in `fields`, as paths from the argument on that the variable is used in.
 */
export function checkVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): void {
  const found: { variable: string; field: FieldError }[] = [];
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) continue;
    const name = variable.name.value;
    const add = (path: readonly (string | number)[], message: string) => {
      found.push({ variable: name, field: { path: [...path], message } });
    };
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) {
      if (isNonNullType(type) && !defaultValue) add([], `Required; of type ${type}.`);
      continue;
    }
    // What is missing or unknown is reported at the object that should hold it; a form wants the field.
    coerceInputValue(value, type, (path, _value, { message }) => {
      const [, field] = /^Field "(\w+)" (?:of required type|is not defined)/.exec(message) ?? [];
      add(field === undefined ? path : [...path, field], message);
    });
  }
  if (found.length === 0) return;
  const places = variablePlaces(document, operation);
  const fields = found.map(({ variable, field }) => ({
    ...field,
    path: [...(places.get(variable) ?? [variable]), ...field.path],
  }));
  const names = fields.map(({ path }) => path.join('.')).join(', ');
  throw refusal(`The variables do not fit their types: ${names}.`, fields);
}

/** Where each variable is used first, from the argument on: `$name` in `createFarmer(input: { last_name: $name })` is at input.last_name. */
function variablePlaces(document: DocumentNode, operation: OperationDefinitionNode): Map<string, (string | number)[]> {
  const places = new Map<string, (string | number)[]>();
  const search = (root: ASTNode) =>
    visit(root, {
      enter(node, _key, parent, path, ancestors) {
        if (node.kind === 'VariableDefinition') return false;
        if (node.kind === 'Variable' && !places.has(node.name.value)) {
          places.set(node.name.value, placeOf(path, parent ? [...ancestors, parent] : ancestors));
        }
      },
    });
  search(operation);
  for (const definition of document.definitions) if (definition.kind === 'FragmentDefinition') search(definition);
  return places;
}

function placeOf(
  path: readonly (string | number)[],
  ancestors: readonly (ASTNode | readonly ASTNode[])[],
): (string | number)[] {
  const place: (string | number)[] = [];
  ancestors.forEach((ancestor, index) => {
    if (!('kind' in ancestor)) return;
    if (ancestor.kind === 'Argument') place.splice(0, place.length, ancestor.name.value);
    else if (ancestor.kind === 'ObjectField') place.push(ancestor.name.value);
    else if (ancestor.kind === 'ListValue') place.push(Number(path[index + 1]));
  });
  return place;
}

function refusal(message: string, fields: FieldError[]): GraphQLError {
  return codedError('BAD_USER_INPUT', message, { fields, http: { status: 400 } });
}
