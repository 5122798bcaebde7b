import { type DefinitionNode, type FieldDefinitionNode, Kind, parse } from 'graphql';

type Fields = readonly FieldDefinitionNode[];

/** The definitions, with the fields that `of` gives each object type. */
export function withFields(
  definitions: readonly DefinitionNode[],
  of: (type: string, fields: Fields) => Fields,
): DefinitionNode[] {
  return definitions.map((definition) => {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
    return { ...definition, fields: of(definition.name.value, definition.fields ?? []) };
  });
}

/** Fields in SDL. */
export function fieldsIn(sdl: string): Fields {
  return parse(`type T ${sdl && `{\n${sdl}\n}`}`).definitions.flatMap(
    (type) => (type.kind === Kind.OBJECT_TYPE_DEFINITION && type.fields) || [],
  );
}
