import { type FieldError, fieldsRefused } from '@gateway/base';
import { contractOf } from '@gateway/contract';
import {
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLResolveInfo,
  getDirectiveValues,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';

interface Bounds {
  min?: number;
  max?: number;
}

/**
 * Holds the arguments of a field against the `@length` bounds of their input types, before anything is sent.
 * Lengths are counted in Unicode code points, as the service counts them. Numbers must be finite: 1e400 is none in JSON.
 * Inputs refuse the value of an enum that stands for unknown ones.
 * @throws BAD_USER_INPUT with every violation in `fields`.
 */
export function checkBounds(
  info: Pick<GraphQLResolveInfo, 'schema' | 'parentType' | 'fieldName'>,
  args: unknown,
): void {
  const fields: FieldError[] = [];
  for (const argument of info.parentType.getFields()[info.fieldName]?.args ?? []) {
    collect(info, argument.type, (args as Record<string, unknown>)[argument.name], [argument.name], fields);
  }
  if (fields.length > 0) throw fieldsRefused('The input breaks the bounds of the service', fields);
}

function collect(
  info: Pick<GraphQLResolveInfo, 'schema'>,
  type: GraphQLInputType,
  value: unknown,
  path: (string | number)[],
  found: FieldError[],
): void {
  if (value === undefined || value === null) return;
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    (value as unknown[]).forEach((item, index) => {
      collect(info, nullable.ofType, item, [...path, index], found);
    });
  } else if (isEnumType(nullable)) {
    const { unknownValue } = contractOf(info.schema).data;
    if (value === unknownValue) {
      found.push({ path, message: `Stands in answers alone; give ${valuesOf(nullable, unknownValue)}.` });
    }
  } else if (isInputObjectType(nullable)) {
    for (const field of Object.values(nullable.getFields())) {
      const fieldValue = (value as Record<string, unknown>)[field.name];
      const fieldPath = [...path, field.name];
      const message = violation(boundsOf(info, field), fieldValue);
      if (message) found.push({ path: fieldPath, message });
      collect(info, field.type, fieldValue, fieldPath, found);
    }
  }
}

function valuesOf(type: GraphQLEnumType, unknownValue: string): string {
  const names = type.getValues().map(({ name }) => name);
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(names.filter((name) => name !== unknownValue));
}

function violation({ min, max }: Bounds, value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'Larger than any number that can be sent.';
  if (typeof value !== 'string') return undefined;
  const length = [...value].length;
  const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`;
  if (max !== undefined && length > max) return `At most ${characters(max)}; this has ${length}.`;
  if (min !== undefined && length < min) return `At least ${characters(min)}; this has ${length}.`;
  return undefined;
}

const boundsByField = new WeakMap<GraphQLInputField, Bounds>();

function boundsOf({ schema }: Pick<GraphQLResolveInfo, 'schema'>, field: GraphQLInputField): Bounds {
  let bounds = boundsByField.get(field);
  if (!bounds) {
    const directive = schema.getDirective('length');
    bounds = (directive && field.astNode && (getDirectiveValues(directive, field.astNode) as Bounds)) ?? {};
    boundsByField.set(field, bounds);
  }
  return bounds;
}
