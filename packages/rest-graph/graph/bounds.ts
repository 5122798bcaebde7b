import { anyOf, type FieldError, fieldsRefused, isObject, madeOnce, visitInput } from '@gateway/base';
import { contractOf } from '@gateway/contract';
import {
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLResolveInfo,
  getDirectiveValues,
  isEnumType,
} from 'graphql';
import { someInJson } from './scalars.ts';

type Bounds = Partial<Record<'min' | 'max', number>>;

/**
 * Holds the arguments of a field against the `@length` bounds of their input types, before anything is sent.
 * Lengths are counted in Unicode code points, as the service counts them. Numbers must be finite: 1e400 is none in JSON.
 * Inputs refuse the value of an enum that stands for unknown ones. An update must have a field.
 * @throws BAD_USER_INPUT with every violation in `fields`.
 */
export function checkBounds(
  info: Pick<GraphQLResolveInfo, 'schema' | 'parentType' | 'fieldName'>,
  args: unknown,
): void {
  const found: FieldError[] = [];
  const { unknownValue, endpoints } = contractOf(info.schema).data;
  const { method, path = '' } = endpoints[info.fieldName] ?? {};
  // An action may need no field, such as PATCH /orders/{id}/close.
  const isUpdate = method === 'PATCH' && /\}\/?$/.test(path);
  for (const { name, type } of info.parentType.getFields()[info.fieldName]?.args ?? []) {
    const given = (args as Record<string, unknown>)[name];
    if (isUpdate && name === 'input' && isObject(given) && Object.keys(given).length === 0)
      found.push({ path: [name], message: 'Give a field to change.' });
    visitInput(type, given, { path: [name] }, (value, of, { path, field }) => {
      const message = isEnumType(of)
        ? value === unknownValue && `Stands in answers alone; give ${valuesOf(of, unknownValue)}.`
        : violation(field ? boundsOf(info, field) : {}, 'parseValue' in of ? value : undefined);
      if (message) found.push({ path, message });
    });
  }
  if (found.length > 0) throw fieldsRefused('The input breaks the bounds of the service', found);
}

export function valuesOf(type: GraphQLEnumType, unknownValue: string): string {
  return anyOf(type.getValues().flatMap(({ name }) => (name === unknownValue ? [] : name)));
}

function violation({ min, max }: Bounds, value: unknown): string | undefined {
  if (someInJson(value, isInfinite)) return 'Larger than any number that can be sent.';
  if (typeof value !== 'string') return undefined;
  const length = [...value].length;
  const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`;
  if (max !== undefined && length > max) return `At most ${characters(max)}; this has ${length}.`;
  return min !== undefined && length < min ? `At least ${characters(min)}; this has ${length}.` : undefined;
}

const isInfinite = (value: unknown) => typeof value === 'number' && !Number.isFinite(value);

const boundsByField = new WeakMap<GraphQLInputField, Bounds>();

function boundsOf({ schema }: Pick<GraphQLResolveInfo, 'schema'>, field: GraphQLInputField): Bounds {
  return madeOnce(boundsByField, field, ({ astNode }) => {
    const directive = schema.getDirective('length');
    return (directive && astNode && (getDirectiveValues(directive, astNode) as Bounds)) ?? {};
  });
}
