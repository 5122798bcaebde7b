import { expect, test } from 'vitest';
import { described } from './described-service.ts';
import { document, get, kind } from './notes.ts';

const note = '{ $ref: "#/components/schemas/Note" }';
const json = (schema: string) => `{ description: x, content: { application/json: { schema: ${schema} } } }`;
const post = (body: string, answer: string, parameters = '') => `
    post:
      operationId: addNote
      tags: [Notes]
      description: x
      parameters: [${parameters}]
      requestBody: { required: true, description: x, content: ${body} }
      responses: { "201": ${answer} }`;
const page = '{ $ref: "#/components/parameters/limit" }, { $ref: "#/components/parameters/offset" }';
const bodyOf = '{ application/json: { schema: { $ref: "#/components/schemas/NoteWrite" } } }';
const written = '    NoteWrite: { type: object, properties: { text: { type: string } }, example: { text: Milk } }';
const form = (more: string) =>
  `{ multipart/form-data: { schema: { type: object, properties: { scan: { type: string, contentMediaType: application/octet-stream }, ${more} } } } }`;
const shelf = (properties: string) => ({
  paths: kind('Shelf', 'shelves'),
  schemas: `    Shelf: { type: object, required: [id], properties: ${properties} }`,
});
const named = (name: string) => ({
  paths: kind(name, 'others'),
  schemas: `    ${name}: { type: object, required: [id], properties: { id: { type: string } } }`,
});

const ref = (name: string) => `{ $ref: "#/components/schemas/${name}" }`;
const property = (schema: string) => ({ properties: `        state: ${schema}` });
const states = '{ type: string, enum: [open, closed] }';
const ofItself = 'refers to itself and has nothing else; give it properties';

const allOf =
  'its schema must be a $ref to one object, of a GET by its id or to a page: `rows` of one schema, and a count; or an array of one; otherwise leave the endpoint out';
const noContent = 'has no JSON, and the path has no GET that shows the object; otherwise leave the endpoint out';

/** Habits of services that the contract cannot say, each with all that the generator says. */
test.each<[habit: string, document: string, mistakes: string[]]>([
  [
    'two GETs of one kind',
    document({ paths: get('/texts/{id}', 'getNoteOfText', '{ $ref: "#/components/parameters/id" }', note) }),
    ['paths./texts/{id}.get: paths./notes/{id}.get gives a Note by id too; leave one out'],
  ],
  [
    'an array of texts',
    document({ paths: get('/tags', 'listTags', page, '{ type: array, items: { type: string } }') }),
    [`paths./tags.get.responses.200: ${allOf}`],
  ],
  [
    'rows of several schemas',
    document({
      paths: get('/events', 'listEvents', page, '{ $ref: "#/components/schemas/EventPage" }'),
      schemas: `    EventPage: { type: object, required: [total, rows], properties: { total: { type: integer }, rows: { type: array, items: { oneOf: [${note}, { $ref: "#/components/schemas/NotePatch" }] } } } }`,
    }),
    [`paths./events.get.responses.200: ${allOf}`],
  ],
  [
    'rows in an object of the page',
    document({
      paths: get('/tags', 'listTags', page, '{ $ref: "#/components/schemas/TagPage" }'),
      schemas: '    TagPage: { type: object, properties: { data: { $ref: "#/components/schemas/NotePage" } } }',
    }),
    [`paths./tags.get.responses.200: ${allOf}`],
  ],
  [
    'an id that is a reference',
    document(shelf('{ id: { type: string, x-reference: Note } }')),
    ['components.schemas.Shelf.properties.id.x-reference: leave it out; an id is that of its own object'],
  ],
  [
    'lists of lists of objects',
    document(shelf(`{ id: { type: string }, rows: { type: array, items: { type: array, items: ${note} } } }`)),
    ['components.schemas.Shelf.properties.rows: objects stand in no list of lists; leave the property out'],
  ],
  [
    'query parameters of what is no list',
    document({
      schemas: written,
      paths: `  /new:${post(bodyOf, json(note), '{ name: notify, in: query, required: true, description: x, schema: { type: boolean } }')}`,
    }),
    [
      'paths./new.post.parameters.notify: the gateway sends parameters in the query of lists alone; leave it out, or the endpoint',
    ],
  ],
  ...(
    [
      [
        'after',
        'schema: { type: string, format: date-time }',
        ': is no free name; `x-argument: by_after` gives the argument one',
      ],
      ['text[in]', 'schema: { type: string }', ': is no free name; `x-argument: text_in` gives the argument one'],
      [
        'text',
        'required: true, schema: { type: string }',
        '.required: a list answers without its filters; `required: false` where this one does, or leave the endpoint out',
      ],
      ['text', 'x-shown-by: [tetx], schema: { type: string }', '.x-shown-by: Note has no property tetx'],
      ...['state', 'view'].map((name) => [
        name,
        `schema: { type: string, enum: ${name === 'state' ? '[read, new]' : '[text, id]'} }`,
        `: no property of a row shows that the service obeys it; add \`x-shown-by: [${name === 'state' ? 'status' : '…'}]\`, or \`x-reorders: true\` if it orders the rows`,
      ]),
    ] as [string, string, string][]
  ).map(([name, form, mistake]): [string, string, string[]] => [
    `the filter ${name} with ${form}`,
    document({
      parameter: `{ name: "${name}", in: query, description: x, ${form} }, `,
      properties: '        status: { type: string, enum: [new, read, gone] }',
    }),
    [`paths./notes.get.parameters.${name}${mistake}`],
  ]),
  [
    'names that each object of JavaScript has',
    document(shelf('{ id: { type: string }, constructor: { type: string } }')),
    ['components.schemas.Shelf.properties.constructor: is no name of GraphQL; leave the property out'],
  ],
  ...[
    '{ type: object, properties: { text: { type: string } } }',
    `{ type: array, items: ${note} }`,
    '{ $ref: "#/components/schemas/NotesWrite" }',
  ].map((schema): [string, string, string[]] => [
    `the body ${schema}`,
    document({
      paths: `  /new:${post(`{ application/json: { schema: ${schema} } }`, json(note))}`,
      schemas: `    NotesWrite: { type: array, items: ${note} }`,
    }),
    ['paths./new.post.requestBody: its schema must be a $ref to an object with properties'],
  ]),
  [
    'a GET with a body',
    document({ schemas: written }).replace(
      '      operationId: listNotes\n',
      `$&      requestBody: { required: true, description: x, content: ${bodyOf} }\n`,
    ),
    ['paths./notes.get.requestBody: no GET has a body; leave it out'],
  ],
  [
    'a POST that answers a page',
    document({
      schemas: written,
      paths: `  /search:${post(bodyOf, json('{ $ref: "#/components/schemas/NotePage" }'))}`,
    }),
    [`paths./search.post.responses.201: ${allOf}`],
  ],
  [
    'a POST that answers a Location alone',
    document({ schemas: written }).replace(
      '  /notes/{id}:',
      `${post(bodyOf, '{ description: x }').slice(1)}\n  /notes/{id}:`,
    ),
    [`paths./notes.post.responses.201: ${noContent}`],
  ],
  [
    'a header of a request',
    document({
      schemas: written,
      paths: `  /new:${post(bodyOf, json(note), '{ name: Idempotency-Key, in: header, required: true, description: x, schema: { type: string } }')}`,
    }),
    [
      'paths./new.post.parameters.Idempotency-Key: the gateway sends parameters in the query of lists alone; leave it out, or the endpoint',
    ],
  ],
  [
    'a form with texts beside the file',
    document({ paths: `  /new:${post(form('title: { type: string }'), json(note))}` }),
    ['paths./new.post.requestBody: a form has one file alone; leave out title, or the endpoint'],
  ],
  [
    'a form with texts before the file',
    document({
      paths: `  /new:${post(form('').replace('properties: {', 'properties: { title: { type: string },'), json(note))}`,
    }),
    ['paths./new.post.requestBody: a form has one file alone; leave out title, or the endpoint'],
  ],
  [
    'objects without an id',
    document(shelf('{ code: { type: string } }')),
    ['components.schemas.Shelf.properties: has no id; x-id names another'],
  ],
  [
    'names that GraphQL has for itself',
    document(shelf('{ id: { type: string }, __typename: { type: string } }')),
    ['components.schemas.Shelf.properties.__typename: is no name of GraphQL; leave the property out'],
  ],
  [
    'a resource with the name of a root',
    document(named('Subscription')),
    ['components.schemas.Subscription: the graph has its own Subscription; name the type with x-type'],
  ],
  ...['String', 'Date', 'Query', 'NoteConnection'].flatMap((name): [string, string, string[]][] => {
    const advice = `the graph has its own ${name}; name the type with x-type`;
    return [
      [`a resource called ${name}`, document(named(name)), [`components.schemas.${name}: ${advice}`]],
      [`a body called ${name}`, document().replaceAll('NotePatch', name), [`components.schemas.${name}: ${advice}`]],
      [
        `an enum called ${name}`,
        document({ ...property(`{ $ref: "#/components/schemas/${name}" }`), schemas: `    ${name}: ${states}` }),
        [`components.schemas.Note.properties.state: ${advice}`],
      ],
    ];
  }),
  [
    'an enum with the name of the edges of its list',
    document({ properties: `        edge: ${states}` }),
    ['components.schemas.Note.properties.edge: the graph has its own NoteEdge; name the type with x-type'],
  ],
  [
    'a resource with the name of an input',
    document(named('UpdateNoteInput')),
    ['components.schemas.NotePatch: the graph has its own UpdateNoteInput; name the type with x-type'],
  ],
  [
    'a resource with the name of an enum',
    document({ ...named('NoteState'), ...property(states) }),
    ['components.schemas.Note.properties.state: the graph has its own NoteState; name the type with x-type'],
  ],
  [
    'a resource with the name of the rows of a way back',
    document({
      ...named('NoteRows'),
      properties:
        '        made: { type: string, format: date-time }\n        first: { type: string, x-reference: Note }',
    }).replace(
      'x-proves-key: true',
      'x-proves-key: true\n      x-newest-first: made\n      x-ways-back: [{ field: later, of: [first], description: x }]',
    ),
    ['components.schemas.NoteRows: the graph has its own NoteRows; name the type with x-type'],
  ],
  [
    'two schemas with one input',
    document(named('UpdateNote')).replace(
      'properties: { text: { type: string }, tags',
      'properties: { log: { $ref: "#/components/schemas/UpdateNote" }, text: { type: string }, tags',
    ),
    ['components.schemas.UpdateNote: NotePatch makes UpdateNoteInput too; add x-type'],
  ],
  [
    'references in a list of lists',
    document(property('{ type: array, items: { type: array, items: { type: string, x-reference: Note } } }')),
    ['components.schemas.Note.properties.state: objects stand in no list of lists; leave x-reference out'],
  ],
  [
    'a resource with the name of a field of all objects',
    document(named('constructor')),
    ['components.schemas.constructor: constructor is no name of GraphQL; name the type with x-type'],
  ],
  [
    'an enum beside a property with its text',
    document({ properties: `        state: ${states}\n        state_raw: { type: string }` }),
    [
      'components.schemas.Note.properties.state_raw: the graph adds state_raw beside the enum state; leave this property out, or the enum of state',
    ],
  ],
  [
    'a reference beside a property with the name of its id',
    document({ properties: '        owner: { type: string, x-reference: Note }\n        owner_id: { type: integer }' }),
    [
      'components.schemas.Note.properties.owner_id: the graph adds owner_id beside the reference owner; leave this property out, or owner',
    ],
  ],
  [
    'schemas that are names of each other',
    document({ ...property(ref('A')), schemas: `    A: ${ref('B')}\n    B: { allOf: [${ref('A')}] }` }),
    [`components.schemas.A: ${ofItself}`],
  ],
  [
    'a schema that is a name of itself, behind a GET',
    document({
      paths: get('/things/{id}', 'getThing', '{ $ref: "#/components/parameters/id" }', ref('Thing')),
      schemas: `    Thing: ${ref('Thing')}`,
    }),
    [`components.schemas.Thing: ${ofItself}`, 'components.schemas.Thing.properties: has no id; x-id names another'],
  ],
  ...[ref('States'), ref('Shelf')].map((other): [string, string, string[]] => [
    `a list that is ${other} too`,
    document({
      ...property(`{ allOf: [${other}, { type: array, items: { type: string } }] }`),
      schemas: `    States: ${states}\n    Shelf: { type: object, properties: { room: { type: string } } }`,
    }),
    ['components.schemas.Note.properties.state: is a list and something else too, by its allOf; leave one of them out'],
  ]),
  ...['type: string', 'type: [integer, "null"]', 'type: array, items: { type: string }'].flatMap(
    (plain): [string, string, string[]][] => [
      [
        `x-type at a property of ${plain}`,
        document(property(`{ ${plain}, x-type: Job }`)),
        ['components.schemas.Note.properties.state.x-type: names the type of an object or an enum; leave it out'],
      ],
      [
        `x-type at a schema of ${plain}`,
        document({ ...property(ref('Work')), schemas: `    Work: { ${plain}, x-type: Job }` }),
        ['components.schemas.Work.x-type: names the type of an object or an enum; leave it out'],
      ],
    ],
  ),
  [
    'x-type with a text that is no name',
    document({ schemas: '    Work: { type: object, x-type: "a job", properties: { text: { type: string } } }' }),
    ['components.schemas.Work.x-type: a job is no name of GraphQL'],
  ],
  [
    'x-type at a filter without values',
    document({ parameter: '{ name: state, in: query, x-shown-by: [text], schema: { type: string, x-type: Job } }, ' }),
    ['paths./notes.get.parameters.state.schema.x-type: names an enum; leave it out'],
  ],
  [
    'cursors of pages',
    document().replace('offset: offset }', 'limit: limit }').replace('limit: limit, limit: limit', 'limit: limit'),
    ['x-wire.page: has either offset or number beside limit, and no cursor'],
  ],
])('the generator refuses %s', (_habit, text, mistakes) => {
  expect(() => described(text)).toThrow(new Error(`The contract has mistakes:\n${mistakes.join('\n')}`));
});
