import { visitInput } from '@gateway/base';
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** The reason of a deprecation, by the coordinate of the element; undefined for an element that is not deprecated. */
type Elements = ReadonlyMap<string, string | undefined>;

/**
 * Fields, arguments, input fields and values of enums. Coordinates are those of GraphQL: `Type.field`,
 * `Type.field(argument:)`, `Input.field` and `Enum.VALUE`.
 */
export function elementsOf(schema: GraphQLSchema): Elements {
  const elements = new Map<string, string | undefined>();
  const add = (coordinate: string, { deprecationReason }: { deprecationReason?: string | null | undefined }) =>
    elements.set(coordinate, deprecationReason ?? undefined);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (isEnumType(type)) for (const value of type.getValues()) add(`${type.name}.${value.name}`, value);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) add(`${type.name}.${field.name}`, field);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      add(`${type.name}.${field.name}`, field);
      for (const argument of field.args) add(argumentOf(`${type.name}.${field.name}`, argument.name), argument);
    }
  }
  return elements;
}

function argumentOf(field: string, name: string): string {
  return `${field}(${name}:)`;
}

/** The day after which a deprecated element may go, such as 2027-06-30. Undefined where the reason names none. */
export function removalDay(deprecationReason: string | undefined): string | undefined {
  return deprecationReason?.match(/\bMay be removed after (\d{4}-\d\d-\d\d)\./)?.[1];
}

/** In UTC. */
export function endOfDay(day: string): Date {
  return new Date(`${day}T24:00:00Z`);
}

/**
 * The elements that a document names: it is no longer valid without them. A field of an interface is a field of each type
 * that the interface stands for.
 */
export function elementsIn(schema: GraphQLSchema, document: DocumentNode): Set<string> {
  const found = new Set<string>();
  const types = new TypeInfo(schema);
  const fields = (): string[] => {
    const type = types.getParentType();
    const name = types.getFieldDef()?.name;
    if (!type || !name || name.startsWith('__')) return [];
    const holders = isInterfaceType(type) ? [type, ...schema.getPossibleTypes(type)] : [type];
    return holders.map((holder) => `${holder.name}.${name}`);
  };
  visit(
    document,
    visitWithTypeInfo(types, {
      Field() {
        for (const field of fields()) found.add(field);
      },
      Argument({ name }) {
        if (!types.getDirective()) for (const field of fields()) found.add(argumentOf(field, name.value));
      },
      ObjectField({ name }) {
        const type = getNamedType(types.getParentInputType());
        if (type && isInputObjectType(type)) found.add(`${type.name}.${name.value}`);
      },
      EnumValue({ value }) {
        const type = getNamedType(types.getInputType());
        if (type && isEnumType(type)) found.add(`${type.name}.${value}`);
      },
    }),
  );
  return found;
}

/** The input fields and values of enums that the value of a variable has, before defaults are added to it. */
export function elementsOfValue(given: GraphQLInputType, value: unknown, found: Set<string>): void {
  visitInput(given, value, { path: [] }, (part, type, { field, parentType }) => {
    if (field) found.add(`${parentType}.${field.name}`);
    if (isEnumType(type) && typeof part === 'string' && type.getValue(part)) found.add(`${type.name}.${part}`);
  });
}

/** The value of a variable of this type can have one of these elements. */
export function canHave(type: GraphQLInputType, elements: { has(coordinate: string): boolean }): boolean {
  const seen = new Set<GraphQLNamedInputType>();
  const check = (given: GraphQLInputType): boolean => {
    const named = getNamedType(given);
    if (seen.has(named)) return false;
    seen.add(named);
    if (isEnumType(named)) return named.getValues().some(({ name }) => elements.has(`${named.name}.${name}`));
    if (!isInputObjectType(named)) return false;
    return Object.values(named.getFields()).some(
      (field) => elements.has(`${named.name}.${field.name}`) || check(field.type),
    );
  };
  return check(type);
}
