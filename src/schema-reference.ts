import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { typeDefs } from './type-defs.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template-columns: 16rem 1fr; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; box-sizing: border-box; padding: 1rem; font-size: 0.875rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
main { padding: 1rem 2rem; max-width: 60rem; }
h2 { border-top: 1px solid #8884; padding-top: 1.5rem; }
h2 small, .kind { font-weight: normal; opacity: 0.7; }
dt { margin-top: 0.75rem; font-family: ui-monospace, monospace; font-size: 0.9rem; }
dd { margin: 0 0 0 1.5rem; }
dd p { margin: 0.25rem 0; }
a { color: LinkText; text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
.deprecated { text-decoration: line-through; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } }`;

/** The schema as one page of HTML, which needs nothing else. */
export function referencePage(): string {
  const schema = buildSchema(typeDefs());
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const groups = Map.groupBy(types, kindOf);
  const shown = kinds.flatMap((kind) => (groups.has(kind) ? [{ kind, types: groups.get(kind) ?? [] }] : []));
  const index = shown.map(
    ({ kind, types }) => `<h3>${kind}</h3><ul>${types.map((type) => `<li>${linkTo(type)}</li>`).join('')}</ul>`,
  );
  const sections = shown.flatMap(({ types }) => types.map((type) => sectionOf(type, schema)));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Schema of the traceability gateway</title>
<style>${style}
</style>
<nav aria-label="Types">
${index.join('\n')}
</nav>
<main>
<h1>Schema of the traceability gateway</h1>
${sections.join('\n')}
</main>
</html>
`;
}

const kinds = ['Operations', 'Objects', 'Interfaces', 'Inputs', 'Enums', 'Scalars'] as const;

function kindOf(type: GraphQLNamedType): (typeof kinds)[number] {
  if (type.name === 'Query' || type.name === 'Mutation') return 'Operations';
  if (isObjectType(type)) return 'Objects';
  if (isInterfaceType(type)) return 'Interfaces';
  if (isInputObjectType(type)) return 'Inputs';
  return isEnumType(type) ? 'Enums' : 'Scalars';
}

function sectionOf(type: GraphQLNamedType, schema: GraphQLSchema): string {
  return [
    `<section id="${type.name}">`,
    `<h2><a href="#${type.name}">${type.name}</a>${isObjectType(type) ? interfacesOf(type.getInterfaces()) : ''}</h2>`,
    prose(type.description),
    isInterfaceType(type)
      ? `<p class="kind">Is one of: ${schema.getPossibleTypes(type).map(linkTo).join(', ')}</p>`
      : '',
    partsOf(type),
    usesOf(type, schema),
    '</section>',
  ]
    .filter(Boolean)
    .join('\n');
}

function interfacesOf(interfaces: readonly GraphQLNamedType[]): string {
  return interfaces.length === 0 ? '' : ` <small>implements ${interfaces.map(linkTo).join(', ')}</small>`;
}

function partsOf(type: GraphQLNamedType): string {
  if (isEnumType(type)) {
    return list(type.getValues().map((value) => entry(`${type.name}.${value.name}`, nameOf(value), value.description)));
  }
  if (isInputObjectType(type)) {
    return list(
      Object.values(type.getFields()).map((field) =>
        entry(`${type.name}.${field.name}`, signatureOf(field), field.description),
      ),
    );
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return '';
  return list(
    Object.values(type.getFields()).map((field: GraphQLField<unknown, unknown>) =>
      entry(
        `${type.name}.${field.name}`,
        `${nameOf(field)}: ${typeText(field.type)}`,
        [field.description, field.deprecationReason].filter(Boolean).join(' '),
        field.args.length > 0
          ? list(
              field.args.map((arg) =>
                entry(`${type.name}.${field.name}.${arg.name}`, signatureOf(arg), arg.description),
              ),
            )
          : '',
      ),
    ),
  );
}

/** Where the type is given, or taken. */
function usesOf(type: GraphQLNamedType, schema: GraphQLSchema): string {
  const uses = Object.values(schema.getTypeMap()).flatMap((holder) => {
    if (isIntrospectionType(holder) || !('getFields' in holder)) return [];
    const fields: (GraphQLField<unknown, unknown> | GraphQLInputField)[] = Object.values(holder.getFields());
    return fields
      .filter((field) =>
        [field, ...('args' in field ? field.args : [])].some((part) => getNamedType(part.type) === type),
      )
      .map((field) => `<a href="#${holder.name}.${field.name}">${holder.name}.${field.name}</a>`);
  });
  return uses.length === 0 || uses.length > 30 ? '' : `<p class="kind">Used by ${uses.join(', ')}</p>`;
}

function signatureOf(part: GraphQLArgument | GraphQLInputField): string {
  const { defaultValue } = part;
  return `${nameOf(part)}: ${typeText(part.type)}${defaultValue === undefined ? '' : ` = ${escaped(JSON.stringify(defaultValue))}`}`;
}

function nameOf({ name, deprecationReason }: { name: string; deprecationReason?: string | null | undefined }): string {
  return deprecationReason ? `<span class="deprecated">${name}</span>` : name;
}

function typeText(type: GraphQLType): string {
  const named = getNamedType(type);
  const [before = '', after = ''] = String(type).split(named.name);
  return `${before}${isSpecifiedScalarType(named) ? named.name : linkTo(named)}${after}`;
}

function linkTo({ name }: GraphQLNamedType): string {
  return `<a href="#${name}">${name}</a>`;
}

function list(entries: readonly string[]): string {
  return `<dl>\n${entries.join('\n')}\n</dl>`;
}

function entry(id: string, term: string, description: string | null | undefined, more = ''): string {
  return `<dt id="${id}">${term}</dt>\n<dd>${prose(description)}${more}</dd>`;
}

/** Descriptions are text with code in backticks. */
function prose(text: string | null | undefined): string {
  if (!text) return '';
  return `<p>${escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
