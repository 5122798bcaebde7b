import { isObject } from '@gateway/base';
import type { ContractData } from './data.ts';

/** Fields of a shape that hold ids, and those that hold objects. */
interface Fields {
  /** The names of objects, with the properties that hold their ids. */
  named: readonly (readonly [name: string, property: string])[];
  /** Ids that are numbers. */
  ids: readonly string[];
  objects: readonly { field: string; shape: string }[];
}

const none: readonly never[] = [];

type Data = Pick<ContractData, 'endpoints' | 'shapes' | 'idProperties' | 'references' | 'unions'>;

/**
 * Changes the ids in an answer of a shape, in place. All of the gateway has them as texts, by the names of their objects.
 * Services may write numbers of JSON, and `author_id` for the author, or name the id of a book `isbn`.
 */
export type ReadIds = (answer: unknown, shape: string) => void;

/** Undefined for a service whose ids are all texts, in properties with the names of the objects. */
export function answerIdsIn(data: Data): ReadIds | undefined {
  const types = Object.values(data.shapes).flatMap((fields) => Object.values(fields));
  const isNeeded = types.some((type) => itemOf(type) === numberId) || Object.keys(data.idProperties).length > 0;
  if (!isNeeded) return undefined;
  const kinds = kindsOfShapes(data);
  const shapes = new Map(Object.keys(data.shapes).map((name) => [name, fieldsIn(name, kinds, data)]));
  return (answer, shape) => readInto(answer, shapes.get(shape));

  function readInto(value: unknown, fields: Fields | undefined): void {
    if (!fields) return;
    if (Array.isArray(value)) for (const item of value) readInto(item, fields);
    if (!isObject(value)) return;
    for (const [name, property] of fields.named) {
      // Beside its key, an object may have an `id` that nothing refers to.
      if (name === 'id') value.id = value[property];
      else if (property in value) value[name] ??= value[property];
    }
    for (const field of fields.ids) if (value[field] != null) value[field] = asText(value[field]);
    for (const { field, shape } of fields.objects) readInto(value[field], shapes.get(shape));
  }
}

/** An input whose ids at these paths are numbers. Any other text stays, for the service to refuse: `007` is not the id 7. */
export function withNumbers(input: unknown, paths: readonly (readonly string[])[] = none): unknown {
  return paths.reduce<unknown>((changed, path) => withNumbersAt(changed, path), input);
}

function withNumbersAt(value: unknown, [field, ...rest]: readonly string[]): unknown {
  if (Array.isArray(value))
    return value.map((item) => withNumbersAt(item, field === undefined ? [] : [field, ...rest]));
  if (field === undefined) {
    const number = Number(value);
    return Number.isSafeInteger(number) && String(number) === value ? number : value;
  }
  return isObject(value) && field in value ? { ...value, [field]: withNumbersAt(value[field], rest) } : value;
}

const numberId = 'number-id';

function fieldsIn(
  name: string,
  kinds: ReadonlyMap<string, string>,
  { shapes, idProperties, references, unions }: Data,
): Fields {
  const types = Object.entries(shapes[name] ?? {}).map(([field, type]) => ({ field, shape: itemOf(type) }));
  // Some answers embed an object in place of its id.
  const embedded = Object.entries(references[kinds.get(name) ?? ''] ?? {}).flatMap(([field, { to }]) =>
    [...kinds].flatMap(([shape, kind]) => ((unions[to]?.kinds ?? [to]).includes(kind) ? { field, shape } : [])),
  );
  const named = Object.entries(idProperties[name] ?? {});
  const numbers = types.filter(({ shape }) => shape === numberId).map(({ field }) => field);
  return {
    named,
    ids: [...numbers, ...named.flatMap(([field, property]) => (numbers.includes(property) ? field : []))],
    objects: [...types.filter(({ shape }) => shape in shapes), ...embedded],
  };
}

/** The kinds of the objects that have the shapes. */
function kindsOfShapes({ endpoints, shapes }: Data): ReadonlyMap<string, string> {
  const answered = Object.values(endpoints).map(
    ({ response, kind }) => [itemOf(shapes[response]?.results ?? response), kind] as const,
  );
  return new Map([...Object.keys(shapes).map((name) => [name, name] as const), ...answered]);
}

function itemOf(type: string): string {
  return type.replaceAll('[]', '');
}

function asText(value: unknown): unknown {
  // Larger numbers are texts already. One with a fraction is no id.
  if (Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return value.map(asText);
  if (isObject(value)) value.id = asText(value.id);
  return value;
}
