import { type FieldError, fieldsRefused, maxFieldErrors, type Operation, type Variables } from '@gateway/base';
import {
  coerceInputValue,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  getVariableValues,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type ValueNode,
  visit,
} from 'graphql';

type Place = readonly (string | number)[];

/** The first use of a variable: the field or directive, and the place from its argument on. */
export interface VariableUse {
  by: FieldNode | DirectiveNode;
  place: Place;
}

/**
 * The variables of an operation, coerced to their types.
 * @throws BAD_USER_INPUT with every violation in `fields`, as paths from the argument on that the variable is used in.
 */
export function coerceVariables(
  operation: Operation,
  variables: Variables,
  options: { hideSuggestions: boolean },
): Record<string, unknown> {
  const { variableDefinitions = [] } = operation.definition;
  if (variableDefinitions.length === 0) return {};
  const { coerced } = getVariableValues(operation.document.schema, variableDefinitions, variables, { maxErrors: 1 });
  return coerced ?? refuseVariables(operation, variables, options);
}

/** graphql-js stops at the message; a form needs to know which of its fields are wrong. */
function refuseVariables(
  { document, definition }: Operation,
  variables: Variables,
  { hideSuggestions }: { hideSuggestions: boolean },
): never {
  const uses = variableUses(document.node, definition);
  const fields: FieldError[] = [];
  for (const { variable, type: typeNode, defaultValue } of definition.variableDefinitions ?? []) {
    const type = typeFromAST(document.schema, typeNode);
    if (!isInputType(type)) continue;
    const name = variable.name.value;
    const add = (path: Place, message: string) => {
      fields.push({
        path: [...(uses.get(name)?.place ?? [name]), ...path],
        message: `$${[name, ...path].join('.')}: ${message}`,
      });
      // A large body that is wrong all over says no more after this many.
      if (fields.length > maxFieldErrors) throw refused(fields);
    };
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) {
      if (isNonNullType(type) && !defaultValue) add([], `Required; of type ${type}.`);
      continue;
    }
    const report: Parameters<typeof coerceInputValue>[2] = (path, _value, { message }) =>
      add(placeOfMistake(path, message), notAFile.test(message) ? sendAFile : message);
    coerceInputValue(value, type, report, hideSuggestions);
  }
  throw refused(fields);
}

/** graphql-js reports a missing or unknown field at the object around the field. A form needs the field. */
export function placeOfMistake(path: Place, message: string): Place {
  const [, field] = /^Field "(\w+)" (?:of required type|is not defined)/.exec(message) ?? [];
  return field === undefined ? path : [...path, field];
}

/** The messages of graphql-upload-minimal and graphql-js for a value that is no file of a multipart request. */
const notAFile = /^Upload value invalid\.$|^Expected non-nullable type "Upload!"/;
const sendAFile = 'Send the file in a multipart request (graphql-multipart-request-spec).';

/** The first use of each variable: `$title` in `createWork(input: { title: $title })` is at input.title. */
export function variableUses(document: DocumentNode, operation: OperationDefinitionNode): Map<string, VariableUse> {
  const uses = new Map<string, VariableUse>();
  const collect = (value: ValueNode, place: Place, by: VariableUse['by']): void => {
    if (value.kind === 'Variable' && !uses.has(value.name.value)) uses.set(value.name.value, { by, place });
    if (value.kind === 'ListValue')
      for (const [index, item] of value.values.entries()) collect(item, [...place, index], by);
    if (value.kind === 'ObjectValue')
      for (const field of value.fields) collect(field.value, [...place, field.name.value], by);
  };
  const collectFrom = (by: VariableUse['by']) => {
    for (const { name, value } of by.arguments ?? []) collect(value, [name.value], by);
  };
  const collectAll = { Field: collectFrom, Directive: collectFrom };
  visit(operation, collectAll);
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') visit(definition, collectAll);
  }
  return uses;
}

function refused(fields: FieldError[]): GraphQLError {
  return fieldsRefused('The variables do not fit their types', fields, { http: { status: 400 } });
}
