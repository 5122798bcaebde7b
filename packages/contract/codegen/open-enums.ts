import { type DefinitionNode, type EnumValueDefinitionNode, type FieldDefinitionNode, Kind, parse } from 'graphql';
import type { Contract, Properties } from './contract.ts';

/** Shown for each text of the service that its enum lacks. */
export const unknownValue = 'UNKNOWN_VALUE';

/** Names of the properties with a closed set of values. */
export function enumFields(properties: Properties): string[] {
  return Object.keys(properties).filter((name) => properties[name]?.enum);
}

/** `x` → `x_raw`: the field with the text of the service. */
export function rawFieldOf(field: string): string {
  return `${field}_raw`;
}

/**
 * Opens the enums of answers, because the service adds values without notice. Each enum gets a value for texts that it lacks.
 * Each field `x` of an enum gets a field `x_raw` after it.
 */
export function withOpenEnums({ types }: Contract, definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const opened = new Set<string>();
  return definitions.map(withRawFields).map(withUnknownValue);

  function withRawFields(definition: DefinitionNode): DefinitionNode {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
    const names = enumFields(types.get(definition.name.value)?.properties ?? {});
    const fields = (definition.fields ?? []).flatMap((field) => {
      if (!names.includes(field.name.value)) return field;
      if (field.type.kind === Kind.NAMED_TYPE) opened.add(field.type.name.value);
      return [field, ...rawField(field.name.value)];
    });
    return { ...definition, fields };
  }

  function withUnknownValue(definition: DefinitionNode): DefinitionNode {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION || !opened.has(definition.name.value)) return definition;
    return { ...definition, values: [...(definition.values ?? []), ...unknownOf()] };
  }
}

function rawField(name: string): readonly FieldDefinitionNode[] {
  const sdl = `type T { "Text of \`${name}\` as the service sends it." ${rawFieldOf(name)}: String }`;
  return parse(sdl).definitions.flatMap((type) => (type.kind === Kind.OBJECT_TYPE_DEFINITION && type.fields) || []);
}

function unknownOf(): readonly EnumValueDefinitionNode[] {
  const text = 'A value that this schema does not know. Beside the field `x`, `x_raw` has its text. Inputs refuse it.';
  const sdl = `enum E { "${text}" ${unknownValue} }`;
  return parse(sdl).definitions.flatMap((type) => (type.kind === Kind.ENUM_TYPE_DEFINITION && type.values) || []);
}
