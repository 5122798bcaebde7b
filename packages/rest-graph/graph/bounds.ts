import { anyOf, type FieldError, fieldsRefused, madeOnce, visitInput } from '@gateway/base';
import { contractOf } from '@gateway/contract';
import {
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLResolveInfo,
  getDirectiveValues,
  isEnumType,
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
  const found: FieldError[] = [];
  const { unknownValue } = contractOf(info.schema).data;
  for (const { name, type } of info.parentType.getFields()[info.fieldName]?.args ?? []) {
    visitInput(type, (args as Record<string, unknown>)[name], { path: [name] }, (value, of, { path, field }) => {
      const message = isEnumType(of)
        ? value === unknownValue && `Stands in answers alone; give ${valuesOf(of, unknownValue)}.`
        : violation(field ? boundsOf(info, field) : {}, value);
      if (message) found.push({ path, message });
    });
  }
  if (found.length > 0) throw fieldsRefused('The input breaks the bounds of the service', found);
}

export function valuesOf(type: GraphQLEnumType, unknownValue: string): string {
  const names = type.getValues().map(({ name }) => name);
  return anyOf(names.filter((name) => name !== unknownValue));
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
  return madeOnce(boundsByField, field, ({ astNode }) => {
    const directive = schema.getDirective('length');
    return (directive && astNode && (getDirectiveValues(directive, astNode) as Bounds)) ?? {};
  });
}
