import { codedError, type FieldError, fieldsRefused, isObject, type Json } from '@gateway/base';
import type { Endpoint, Wire } from '@gateway/contract';
import { GraphQLError } from 'graphql';

/** A body as the service gets it, and what its errors mean for the input. */
interface WireBody {
  body: Json;
  /** The field of the input that a property of the body comes from. */
  rename: (property: string) => string;
  /** Names the field to use instead in the error of a service that takes the other form. */
  explain: (error: unknown) => unknown;
}

/**
 * Sends fields that are another form of a property as this property. Versions of the service take either form.
 * @throws BAD_USER_INPUT for an input with both forms.
 */
export function wireBody({ otherForms = {} }: Endpoint, input: object, wire: Wire): WireBody {
  const body: Json = { ...input };
  const fields = new Map<string, string>();
  /** The field to use instead of one. */
  const advice = new Map<string, string>();
  for (const [field, property] of Object.entries(otherForms)) {
    const { [field]: value } = body;
    delete body[field];
    if (value == null) {
      advice.set(property, field);
      continue;
    }
    if (body[property] != null) {
      const message = `Give either \`${property}\` or \`${field}\`.`;
      throw fieldsRefused('The input contradicts itself', [{ path: ['input', field], message }]);
    }
    body[property] = value;
    fields.set(property, field);
    advice.set(field, property);
  }
  return {
    body,
    rename: (property) => fields.get(property) ?? property,
    explain: (error) => explained(error, advice, input as Json, wire),
  };
}

function explained(error: unknown, advice: ReadonlyMap<string, string>, input: Json, wire: Wire): unknown {
  if (!(error instanceof GraphQLError) || error.extensions.code !== 'BAD_USER_INPUT') return error;
  const fields = (error.extensions.fields ?? []) as FieldError[];
  const inOtherWords = fields.map((field) => {
    const [, name = '', ...below] = field.path.map(String);
    const other = advice.get(name);
    const isNew = [input[name]].flat().some(isObject);
    if (
      !other ||
      below.some((part) => Number.isNaN(Number(part))) ||
      !wire.wants(isNew ? 'id' : 'object', field.message)
    )
      return field;
    const taken = isNew ? 'the id of one that exists' : 'a new one';
    return { ...field, message: `This service takes ${taken}: give \`${other}\` in place of \`${name}\`.` };
  });
  if (inOtherWords.every((field, index) => field === fields[index])) return error;
  return codedError('BAD_USER_INPUT', error.message, { ...error.extensions, fields: inOtherWords });
}
