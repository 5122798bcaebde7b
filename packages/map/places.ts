import { badRequest, type Field, type FieldTree } from '@gateway/base';
import type { GeoTypes } from './geo-fields.ts';

type Path = readonly [root: Field, ...below: Field[]];

/** The one field of an operation whose objects have places. */
export interface Places {
  /** From the root field to the field with the objects: a path for each combination of types on the way. */
  paths: Path[];
  /** The keys of each path. Lists have no key of their own. */
  keys: readonly string[];
  /** The selections of the objects, by their types. */
  fields: ReadonlyMap<string, readonly Field[]>;
}

/**
 * Finds the outermost field whose objects have places, also behind an interface.
 * @throws BAD_REQUEST (406) for an operation without one, with several, or without a field that a map needs.
 */
export function placesIn(tree: FieldTree, types: GeoTypes): Places {
  const [root, ...others] = tree.fields;
  const found = root && tree.definition.operation === 'query' && others.length === 0 ? placesBelow(root, types) : [];
  const whole = found.filter((places) => lackingFields(places, types).length === 0);
  const [places, second] = whole;
  if (places && found.some((other) => other !== places && nameOf(other) === nameOf(places))) {
    throw badRequest(`A map needs the same fields in each selection of \`${nameOf(places)}\`.`, 406);
  }
  if (places && !second) return places;
  if (second) {
    throw badRequest(
      `A map shows the objects of one field; this operation selects places in ${listed(whole.map(nameOf), 'conjunction')}.`,
      406,
    );
  }
  const [nearest] = found;
  if (nearest) {
    const [type, lacking] = lackingFields(nearest, types)[0] as [string, string[]];
    throw badRequest(
      `A map needs ${listed(lacking, 'conjunction')} of ${type}: select them in \`${nameOf(nearest)}\`.`,
      406,
    );
  }
  const names = listed(Object.keys(types), 'disjunction');
  throw badRequest(
    `A map shows an operation with one field, which leads to objects of the type ${names}. Ask for application/json instead.`,
    406,
  );
}

function placesBelow(root: Field, types: GeoTypes): Places[] {
  const found = new Map<string, Places>();
  const search = (path: Path): void => {
    const field = path.at(-1) as Field;
    const { objectTypes } = field;
    const selections = objectTypes.map((type) => [type, field.select(type).fields] as const);
    const keys = path.map(({ key }) => key);
    if (objectTypes.some(({ name }) => types[name])) {
      const fields = new Map(selections.map(([{ name }, selected]) => [name, selected]));
      // The types of an object before may lead to the field more than once.
      const selected = selections.map(([{ name }, selected]) => [name, selected.map(({ key, name }) => [key, name])]);
      const name = JSON.stringify([keys, selected]);
      found.set(name, { paths: [...(found.get(name)?.paths ?? []), path], keys, fields });
      return;
    }
    for (const [, selected] of selections) for (const below of selected) search([...path, below]);
  };
  search([root]);
  return [...found.values()];
}

/** The fields that a map needs and the operation does not select, by type. */
function lackingFields({ fields }: Places, types: GeoTypes): [type: string, lacking: string[]][] {
  const geographic = [...fields].flatMap(([type, selected]) => {
    const geo = types[type];
    if (!geo) return [];
    const names = new Set(selected.map(({ name }) => name));
    return [[type, ['id', geo.latitude, geo.longitude].filter((name) => !names.has(name))] as [string, string[]]];
  });
  // One type with places is enough.
  return geographic.some(([, lacking]) => lacking.length === 0) ? [] : geographic;
}

function nameOf({ keys }: Places): string {
  return keys.join('.');
}

function listed(names: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('en-GB', { type }).format(names);
}
