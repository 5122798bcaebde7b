/** A GET for `paths`, whose answer has that schema. */
export const get = (path: string, name: string, parameters: string, schema: string) => `
  ${path}:
    get:
      operationId: ${name}
      tags: [Notes]
      description: x
      parameters: [${parameters}]
      responses: { "200": { description: x, content: { application/json: { schema: ${schema} } } } }`;

/** A list and a GET of notes. `paths` and `schemas` come beside them. */
export const document = ({ paths = '', schemas = '', wire = '', properties = '', parameter = '' } = {}) => `
openapi: 3.1.0
info: { title: Notes, version: "1" }
servers: []
security: [{ Key: [] }]
tags: [{ name: Notes }]
paths:
  /notes:
    get:
      operationId: listNotes
      tags: [Notes]
      description: Notes.
      x-proves-key: true
      parameters: [${parameter}{ $ref: "#/components/parameters/limit" }, { $ref: "#/components/parameters/offset" }]
      responses: { "200": { description: Notes., content: { application/json: { schema: { $ref: "#/components/schemas/NotePage" } } } } }
  /notes/{id}:
    get:
      operationId: getNote
      tags: [Notes]
      description: A note.
      parameters: [{ $ref: "#/components/parameters/id" }]
      responses: { "200": { description: A note., content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } } }
    put:
      operationId: writeNote
      tags: [Notes]
      description: Writes a note.
      parameters: [{ $ref: "#/components/parameters/id" }]
      requestBody:
        required: true
        description: The note.
        content: { application/json: { schema: { $ref: "#/components/schemas/NotePatch" } } }
      responses: { "204": { description: Written. } }
${paths}
components:
  securitySchemes: { Key: { type: http, scheme: bearer } }
  parameters:
    id: { name: id, in: path, required: true, description: The id., schema: { type: string } }
    limit: { name: limit, in: query, description: Rows., schema: { type: integer } }
    offset: { name: offset, in: query, description: Rows to skip., schema: { type: integer } }
  schemas:
    Note:
      type: object
      required: [id]
      properties:
        id: { type: string }
        text: { type: string }
        tags: { type: array, items: { type: string } }
${properties}
    NotePage:
      type: object
      required: [total, rows]
      properties: { total: { type: integer }, rows: { type: array, items: { $ref: "#/components/schemas/Note" } } }
    NotePatch:
      type: object
      properties: { text: { type: string }, tags: { type: array, items: { type: string } } }
      example: { text: Milk, tags: [food] }
${schemas}
x-wire:
  page: { count: total, rows: rows, limit: limit, offset: offset }
${wire}
`;

/** A GET of one object. */
export const kind = (name: string, path: string) => `
  /${path}/{id}:
    get:
      operationId: get${name}
      tags: [Notes]
      description: One ${name}.
      parameters: [{ $ref: "#/components/parameters/id" }]
      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/${name}" } } } } }`;

/** Each note says the kind of its owner. Ids are numbers of their kind alone. */
export const owned = document({
  properties: `        owner_type: { type: string }
        made: { type: string, format: date-time }
        owner: { type: string, x-reference: Owner }`,
  paths: kind('Museum', 'museums') + kind('Collector', 'collectors'),
  schemas: `
    Owner:
      oneOf: [{ $ref: "#/components/schemas/Collector" }, { $ref: "#/components/schemas/Museum" }]
      x-unknown: UnknownOwner
      x-evidence:
        Note:
          - { field: owner, is: Museum, where: owner_type, equals: museum }
          - { field: owner, is: Collector, where: owner_type, equals: person }
    Museum: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
    Collector: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }`,
  wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }',
}).replace(
  'x-proves-key: true',
  `x-proves-key: true
      x-newest-first: made
      x-ways-back: [{ field: notes, of: [owner], description: The notes of an owner. }]`,
);

/** The page of these notes that a path asks for. */
export function pageOf(notes: readonly object[], path: string) {
  const { searchParams } = new URL(path, 'http://notes');
  const offset = Number(searchParams.get('offset'));
  return { total: notes.length, rows: notes.slice(offset, offset + Number(searchParams.get('limit'))) };
}
