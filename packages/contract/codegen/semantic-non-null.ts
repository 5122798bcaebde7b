import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  Kind,
  parse,
  type TypeNode,
} from 'graphql';
import type { Contract, ResourceType } from './contract.ts';
import { withFields } from './object-fields.ts';
import { waysBackOf } from './ways-back.ts';

/** Adds @semanticNonNull to the fields of answers that are null only beside an error. */
export function withSemanticNonNull(contract: Contract, definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const fields = [...contract.types.values()].map((type) => [type.name, neverNullFields(contract, type)] as const);
  const fieldsByType = new Map(fields);
  for (const { type, way } of waysBackOf(contract)) if (!way.gives) fieldsByType.get(type)?.add(way.field);
  return withFields(definitions, (type, fields) => {
    const isPromised = (field: string) => type === 'Query' || fieldsByType.get(type)?.has(field) === true;
    return fields.map((field) => annotated(field, isPromised(field.name.value)));
  });
}

/** Mistakes of `x-never-null`, each with its YAML path. */
export function neverNullMistakes(contract: Contract): string[] {
  return [...contract.types.values()].flatMap((type) =>
    type.schemas.flatMap((schema) => {
      const { 'x-never-null': names = [], 'x-graphql-only': added = {} } = contract.schemas[schema] ?? {};
      const at = `components.schemas.${schema}.x-never-null`;
      return names.flatMap((name) => {
        if (!(name in type.properties) && !(name in added)) return `${at}: ${schema} has no property ${name}`;
        return absences(contract, type, name).map((place) => `${at}: ${name} is absent in ${place}`);
      });
    }),
  );
}

/** Places of `x-dialects` whose objects lack the property, with nothing to take it from. */
function absences({ dialects, types }: Contract, type: ResourceType, property: string): string[] {
  const { name, schemas, references } = type;
  const details = references[property]?.details;
  return Object.entries(dialects).flatMap(([dialect, places]) =>
    Object.entries(places).flatMap(([place, fields]) => {
      const isAbsent = (field: string) => fields[field]?.includes('absent') === true;
      const [owner = '', field = ''] = place.split('.');
      const { embedded, properties } = [...types.values()].find((type) => type.schemas.includes(owner)) ?? {};
      const isHere = field ? embedded?.[field] === name : schemas.includes(place);
      const isFound = (details && !isAbsent(details)) || properties?.[field]?.['x-inherits']?.[property];
      return isHere && isAbsent(property) && !isFound ? `x-dialects.${dialect}.${place}` : [];
    }),
  );
}

/** The fields of the graph that show these properties: of a reference the object, its id, and the object again. */
function neverNullFields({ schemas }: Contract, { schemas: forms, references }: ResourceType): Set<string> {
  const properties = forms.flatMap((form) => schemas[form]?.['x-never-null'] ?? []);
  return new Set(
    properties.flatMap((name) => {
      const { noIdField, details } = references[name] ?? { noIdField: true };
      return [name, ...(noIdField ? [] : [`${name}_id`]), ...(details ? [details] : [])];
    }),
  );
}

/** An item of a list is null only if its object did not load. */
function annotated(field: FieldDefinitionNode, isPromised: boolean): FieldDefinitionNode {
  const { type } = field;
  const levels = [...(isPromised && isNullable(type) ? [0] : []), ...(hasNullableItems(type) ? [1] : [])];
  return levels.length > 0 ? { ...field, directives: [...(field.directives ?? []), directive(levels)] } : field;
}

const isNullable = ({ kind }: TypeNode) => kind !== Kind.NON_NULL_TYPE;

function hasNullableItems(type: TypeNode): boolean {
  const list = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  return list.kind === Kind.LIST_TYPE && isNullable(list.type);
}

function directive(levels: readonly number[]): ConstDirectiveNode {
  const args = String(levels) === '0' ? '' : `(levels: [${levels.join(', ')}])`;
  const [type] = parse(`scalar S @semanticNonNull${args}`).definitions;
  return (type?.kind === Kind.SCALAR_TYPE_DEFINITION && type.directives?.[0]) as ConstDirectiveNode;
}
