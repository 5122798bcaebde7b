import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { isObject } from './json.ts';

/** Where a value of an input stands. */
export interface InputPlace {
  path: (string | number)[];
  /** The field that has the value, or the list around it. Undefined outside of input objects. */
  field?: GraphQLInputField;
  /** The input object type of the field. */
  parentType?: GraphQLInputObjectType;
}

/**
 * Looks at a value of an input. `type` has no non-null around it.
 * @returns a replacement; undefined to leave the value and to look inside.
 */
export type InputVisitor = (value: unknown, type: GraphQLInputType, place: InputPlace) => unknown;

/**
 * Shows an input and every value inside it to the visitor, from the outside in: `visit` of graphql-js for inputs.
 * Null is shown too. Fields that are not given, or that the type does not have, are not. Variables before their coercion
 * may have one value in place of a list.
 * @returns a copy with the replacements of the visitor.
 */
export function visitInput(type: GraphQLInputType, value: unknown, place: InputPlace, visitor: InputVisitor): unknown {
  if (value === undefined) return value;
  const nullable = getNullableType(type);
  const replacement = visitor(value, nullable, place);
  if (replacement !== undefined) return replacement;
  if (value === null) return value;
  if (isListType(nullable)) {
    if (!Array.isArray(value)) return visitInput(nullable.ofType, value, place, visitor);
    return value.map((item, index) =>
      visitInput(nullable.ofType, item, { ...place, path: [...place.path, index] }, visitor),
    );
  }
  if (!isInputObjectType(nullable) || !isObject(value)) return value;
  const fields = nullable.getFields();
  const entries = Object.entries(value).map(([name, part]) => {
    const field = fields[name];
    if (!field) return [name, part];
    return [name, visitInput(field.type, part, { path: [...place.path, name], field, parentType: nullable }, visitor)];
  });
  return Object.fromEntries(entries);
}
