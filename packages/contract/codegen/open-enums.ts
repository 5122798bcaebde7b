import { type DefinitionNode, type EnumValueDefinitionNode, Kind, parse } from 'graphql';
import type { Contract, Properties } from './contract.ts';
import { fieldsIn, withFields } from './object-fields.ts';

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
  const withRawFields = withFields(definitions, (type, fields) => {
    const names = enumFields(types.get(type)?.properties ?? {});
    return fields.flatMap((field) => {
      const name = field.name.value;
      if (!names.includes(name)) return field;
      if (field.type.kind === Kind.NAMED_TYPE) opened.add(field.type.name.value);
      return [field, ...fieldsIn(`"Text of \`${name}\` as the service sends it." ${rawFieldOf(name)}: String`)];
    });
  });
  return withRawFields.map((definition) => {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION || !opened.has(definition.name.value)) return definition;
    return { ...definition, values: [...(definition.values ?? []), ...unknownOf()] };
  });
}

function unknownOf(): readonly EnumValueDefinitionNode[] {
  const text = 'A value that this schema does not know. Beside the field `x`, `x_raw` has its text. Inputs refuse it.';
  const sdl = `enum E { "${text}" ${unknownValue} }`;
  return parse(sdl).definitions.flatMap((type) => (type.kind === Kind.ENUM_TYPE_DEFINITION && type.values) || []);
}
