import { valueFilters } from './value-filters.ts';
import { givenBy, isBeside, type Kind, propertyOf, type Reference, shownIn, type Union, type World } from './world.ts';

/** The OpenAPI document of a world. */
export function documentOf(world: World): string {
  const { kinds, unions, hasNumbers, firstPage, key } = world;
  const id = `{ type: ${hasNumbers ? 'integer' : 'string'}`;
  const cached = kinds.filter(({ isGiven }) => !isGiven).map(({ name }) => `list${name}s`);
  return `openapi: 3.1.0
info: { title: Random, version: "1" }
servers: []
security: [{ Key: [] }]
tags: [{ name: All }]
paths:${kinds.map(pathsOf).join('')}
components:
  securitySchemes: { Key: { type: http, scheme: bearer } }
  parameters:
    id: { name: id, in: path, required: true, description: The id., schema: ${id} } }
    limit: { name: limit, in: query, description: Rows., schema: { type: integer } }
    place: { name: place, in: query, description: Where the page begins., schema: { type: integer } }
  schemas:
    Spot: { type: object, properties: { x: { type: integer } } }
    Place: { type: object, properties: { city: { type: string }, spot: { $ref: "#/components/schemas/Spot" } } }
${[...kinds.map(schemasOf), ...unions.map(unionOf)].join('')}x-wire:
  page: { count: total, rows: rows, countHeader: X-Total, limit: limit, ${firstPage === undefined ? 'offset: place' : `number: place, first: ${firstPage}`} }
  wholeBody: [detail]
  dialects: { plain: { times: iso } }
`;

  function pathsOf(kind: Kind, index: number): string {
    const { name, isGiven, isListed, lists, isShort, writes } = kind;
    const shownOf = (schema: string) =>
      `{ description: x, content: { application/json: { schema: { $ref: "#/components/schemas/${schema}" } } } }`;
    const operation = (does: string, parameters: string, answer: string, more = '') =>
      `      operationId: ${does}\n      tags: [All]\n      description: x\n${more}      parameters: [${parameters}]\n      responses: ${answer}\n`;
    const ref = (parameter: string) => `{ $ref: "#/components/parameters/${parameter}" }`;
    const shown = shownIn(kind);
    const back = shown.flatMap((each) => {
      const rows = `of: [${propertyOf(world, each)}], by: of_${each.field}, description: x`;
      const given = propertyOf(world, givenBy(shown, each));
      return [
        `{ field: ${name}_by_${each.field}, ${rows} }`,
        `{ field: ${name}_last_${each.field}, ${rows}, gives: ${given}, where: isOpen }`,
      ];
    });
    const filters = shown.map(
      (each) =>
        `{ name: of_${each.field}, in: query, x-shown-by: [${propertyOf(world, each)}], description: x, schema: ${id}, x-reference: ${each.to} } }`,
    );
    const usable = valueFilters.filter(({ name }) => kind.filters.includes(name));
    const byValue = usable.map(({ name, schema }) => `{ name: ${name}, in: query, description: x, schema: ${schema} }`);
    const keys = `${index === 0 ? '      x-proves-key: true\n' : ''}      x-newest-first: made\n      x-ways-back: [${back}]\n`;
    const pages = [...filters, ...byValue, ...(lists === 'all' ? [] : [ref('limit'), ref('place')])].join(', ');
    const rows = `{ type: array, items: { $ref: "#/components/schemas/${isShort ? `${name}Row` : name}" } }`;
    const array = `{ description: x, content: { application/json: { schema: ${rows} } } }`;
    const answer = lists === 'page' ? shownOf(`${name}Page`) : array;
    const list = operation(`list${name}s`, pages, `{ "200": ${answer} }`, keys);
    const get = operation(`get${name}`, ref('id'), `{ "200": ${shownOf(name)} }`);
    const body = `      requestBody: { required: true, description: x, content: { application/json: { schema: { $ref: "#/components/schemas/${name}Patch" } } } }\n      x-invalidates: [${cached}]\n`;
    const written = writes === 'nothing' ? '{ "204": { description: x } }' : `{ "200": ${shownOf(name)} }`;
    const patch = operation(`update${name}`, ref('id'), written, body);
    return [
      isListed ? `\n  /${name}:\n    get:\n${list}` : '\n',
      isGiven ? `  /${name}/{id}:\n    get:\n${get}` : '',
      writes ? `    patch:\n${patch}` : '',
    ].join('');
  }

  function schemasOf(kind: Kind): string {
    const { name, isListed, lists, isShort, references, writes } = kind;
    const short = [
      `${key}: ${id} }`,
      'name: { type: string }',
      'view: { type: string }',
      'made: { type: string, format: date-time }',
      'isOpen: { type: boolean }',
    ];
    const { lineTo } = kind;
    const others = ['size: { type: integer }', 'place: { $ref: "#/components/schemas/Place" }'];
    if (lineTo) others.push(`lines: { type: array, items: { $ref: "#/components/schemas/L${name}" } }`);
    const [first = [], ...more] = references.map(propertiesOf);
    const schema = (suffix: string, properties: string[], type = '') =>
      `    ${name}${suffix}: { ${type}type: object, ${key === 'id' || type ? '' : `x-id: ${key}, `}required: [${key}], properties: { ${properties.join(', ')} } }\n`;
    const rows = isShort ? `${name}Row` : name;
    return [
      schema('', [...short, ...others, ...first, ...more.flat()]),
      lineTo
        ? `    L${name}: { type: object, properties: { text: { type: string }, of: ${id}, x-reference: { to: ${lineTo.to}${lineTo.mayBeEmbedded ? ', mayBeEmbedded: true' : ''} } } } }\n`
        : '',
      isShort ? schema('Row', [...short, ...more.flat()], `x-type: ${name}, `) : '',
      writes
        ? `    ${name}Patch: { type: object, properties: { name: { type: string } }, example: { name: New } }\n`
        : '',
      isListed && lists === 'page'
        ? `    ${name}Page: { type: object, required: [total, rows], properties: { total: { type: integer }, rows: { type: array, items: { $ref: "#/components/schemas/${rows}" } } } }\n`
        : '',
    ].join('');
  }

  function propertiesOf(reference: Reference): string[] {
    const { field, to, isList, style, isNamed } = reference;
    const options = {
      id: to,
      object: isBeside(world, reference) ? to : `{ to: ${to}, mayBeEmbedded: true }`,
      details: `{ to: ${to}, details: ${field}_details }`,
    };
    const value = `${id}, x-reference: ${options[style]} }`;
    return [
      `${propertyOf(world, reference)}: ${isList ? `{ type: array, items: ${value} }` : value}`,
      ...(isBeside(world, reference) ? [`${field}: { $ref: "#/components/schemas/${to}" }`] : []),
      ...(style === 'details' ? [`${field}_details: { $ref: "#/components/schemas/${to}" }`] : []),
      ...(isNamed ? [`${field}_kind: { type: string }`] : []),
    ];
  }

  function unionOf({ name: union, kinds: ofUnion, isNamed }: Union): string {
    const evidence = kinds.flatMap(({ name, references }) => {
      const shown = references.filter(({ to }) => isNamed && to === union);
      const each = shown.flatMap((reference) =>
        ofUnion.map(
          (kind) =>
            `{ field: ${propertyOf(world, reference)}, is: ${kind}, where: ${reference.field}_kind, equals: is ${kind} }`,
        ),
      );
      return each.length > 0 ? `${name}: [${each}]` : [];
    });
    const choices = ofUnion.map((kind) => `{ $ref: "#/components/schemas/${kind}" }`);
    return `    ${union}: { oneOf: [${choices}], x-unknown: Unknown${union}, x-evidence: { ${evidence} } }\n`;
  }
}
