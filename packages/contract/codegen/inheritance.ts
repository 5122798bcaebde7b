import { type DefinitionNode, Kind, type StringValueNode } from 'graphql';
import type { Contract } from './contract.ts';
import { withFields } from './object-fields.ts';
import { words, wrapped } from './sdl.ts';

/** A property that an embedded object takes from the row around it if the service leaves it out. */
export interface Inherited {
  /** Type and field of the row that embeds the object. */
  type: string;
  field: string;
  /** Type of the embedded object, and its property. */
  heir: string;
  property: string;
  /** Property of the row. */
  from: string;
}

export function inheritanceOf({ types }: Pick<Contract, 'types'>): Inherited[] {
  return [...types.values()].flatMap(({ name, properties, embedded }) =>
    Object.entries(properties).flatMap(([field, { 'x-inherits': inherits = {} }]) => {
      const place = { type: name, field, heir: embedded[field] ?? '' };
      return Object.entries(inherits).map(([property, from]) => ({ ...place, property, from }));
    }),
  );
}

/** Says in the description of each inherited field where its value comes from. */
export function withInheritance(contract: Contract, definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const all = inheritanceOf(contract);
  return withFields(definitions, (type, fields) =>
    fields.map((field) => {
      const own = all.filter(({ heir, property }) => heir === type && property === field.name.value);
      const value = wrapped([field.description?.value, ...own.map(sentence)].join(' '));
      const description: StringValueNode = { kind: Kind.STRING, value, block: true };
      return own.length > 0 ? { ...field, description } : field;
    }),
  );
}

function sentence({ type, field, from }: Inherited): string {
  const row = `the ${words(type)}`;
  const source = from === 'id' ? row : `\`${from}\` of ${row}`;
  return `In \`${type}.${field}\`, where the service leaves it out: ${source}.`;
}
