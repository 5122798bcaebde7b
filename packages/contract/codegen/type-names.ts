import { idFieldOf } from '../reference.ts';
import type { Contract } from './contract.ts';
import { enumOf } from './graph-names.ts';
import { isName } from './normal-form.ts';
import { enumFields, rawFieldOf } from './open-enums.ts';

/** Types that the graph has for itself, beside those of its lists. */
const own = 'Query Mutation Subscription PageInfo String Int Float Boolean ID DateTime Date Decimal JSON Upload'.split(
  ' ',
);

/** Mistakes in the names of types, inputs and enums, each with its YAML path. */
export function typeNameMistakes({ endpoints, types, inputs, unions, schemas }: Contract): string[] {
  const ofLists = endpoints.flatMap(({ does, kind }) => (does === 'list' ? [`${kind}Connection`, `${kind}Edge`] : []));
  const ofGraph = [...own, ...ofLists, ...endpoints.flatMap(({ kind, waysBack }) => waysBack.map(() => `${kind}Rows`))];
  const ofObjects = [...ofGraph, ...types.keys(), ...unions.keys()];
  const mistakesOf = (name: string, place: string, taken: readonly string[]) => {
    const isTaken = taken.includes(name);
    if (isName(name) && !isTaken) return [];
    const why = isTaken ? `the graph has its own ${name}` : `${name} is no name of GraphQL`;
    return [`components.schemas.${place}: ${why}; name the type with x-type`];
  };
  const ofEnums = [...ofObjects, ...inputs.keys()];
  const enumMistakes = (type: string, schema: string) => {
    const { properties = {} } = schemas[schema] ?? {};
    return enumFields(properties).flatMap((field) =>
      mistakesOf(properties[field]?.['x-type'] ?? enumOf(type, field), `${schema}.properties.${field}`, ofEnums),
    );
  };
  return [
    ...[...types.keys()].flatMap((name) => mistakesOf(name, name, ofGraph)),
    ...[...inputs].flatMap(([name, schema]) => mistakesOf(name, schema, ofObjects)),
    ...[...types.values()].flatMap(({ name, schemas: forms }) => forms.flatMap((form) => enumMistakes(name, form))),
    ...[...inputs.values()].flatMap((schema) => enumMistakes(schema.replace(/(Write|Patch)$/, ''), schema)),
  ];
}

/** Properties with the names of fields that the graph adds: `x_raw` of an enum `x`, and `x_id` of a reference. */
export function addedFieldMistakes({ types, schemas }: Contract): string[] {
  return [...types.values()].flatMap(({ schemas: forms, properties, references }) => {
    const raw = enumFields(properties).map((field) => [rawFieldOf(field), `the enum ${field}`, `the enum of ${field}`]);
    const byId = Object.entries(references).filter(([, { noIdField, objects }]) => !noIdField && !objects);
    const ids = byId.map(([field, reference]) => [idFieldOf(field, reference), `the reference ${field}`, field]);
    return [...raw, ...ids].flatMap(([name = '', beside, other]) => {
      const form = forms.find((each) => name in (schemas[each]?.properties ?? {}));
      const advice = `the graph adds ${name} beside ${beside}; leave this property out, or ${other}`;
      return form === undefined ? [] : [`components.schemas.${form}.properties.${name}: ${advice}`];
    });
  });
}
