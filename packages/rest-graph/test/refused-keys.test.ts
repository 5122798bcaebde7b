import { expect, test } from 'vitest';
import { archive, archiveParts, type Document } from './archive.ts';
import { described } from './described-service.ts';

/** All that the generator says of the archive after a change. */
function mistakesAfter(change: (document: Document) => unknown): string[] {
  const document = archive();
  change(document);
  try {
    described(JSON.stringify(document), '', archiveParts);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
}

test('the archive has no mistake', () => {
  expect(mistakesAfter(() => undefined)).toEqual([]);
});

const key = (name: string) => (path: string) => (document: Document) => document.paths[path].get[`x-${name}`];
const ways = key('ways-back');
const totals = key('totals');
const lineage = key('lineage');
const holders = key('holders');
const candidates = key('candidates');
const geo = key('geo');

/** Keys of lists. */
test.each<[what: string, change: (document: Document) => unknown, mistakes: string[]]>([
  [
    'an order by a text',
    ({ paths }) => Object.assign(paths['/photos'].get, { 'x-newest-first': 'barcode' }),
    ['paths./photos.get: Photo has no property barcode that is a time'],
  ],
  [
    'an order of one object',
    ({ paths }) => Object.assign(paths['/films/{id}'].get, { 'x-row-time': 'made_at' }),
    ['paths./films/{id}.get: x-newest-first and x-row-time belong to a list'],
  ],
  [
    'two times of one row',
    ({ paths }) => Object.assign(paths['/photos'].get, { 'x-row-time': 'made_at' }),
    ['paths./photos.get.x-row-time: the list has x-newest-first; leave one of them out'],
  ],
  [
    'a list that makes another one old',
    ({ paths }) => Object.assign(paths['/photos'].get, { 'x-invalidates': ['listPlaces'] }),
    ['paths./photos.get.x-invalidates: belongs to a write'],
  ],
  [
    'a way back with the name of totals',
    (document) => Object.assign(ways('/photos')(document)[0], { field: 'sums' }),
    [
      'schema/*.graphql is no schema:',
      'Field "Collection.sums" can only be defined once.',
      'paths./photos.get.x-ways-back.sums: a part may have this field; choose another name',
    ],
  ],
  [
    'a way back by a filter of another kind',
    (document) => Object.assign(ways('/photos')(document)[0], { by: 'creator' }),
    ['paths./photos.get.x-ways-back.photos.by: creator needs an x-reference to Collection, whose rows it asks for'],
  ],
  [
    'a way back by a text',
    (document) => Object.assign(ways('/collections')(document)[0], { by: 'q' }),
    ['paths./collections.get.x-ways-back.children.by: q needs an x-reference to Collection, whose rows it asks for'],
  ],
  [
    'a way back that gives a list',
    (document) => Object.assign(ways('/photos')(document)[0], { gives: 'copied_from' }),
    ['paths./photos.get.x-ways-back.photos.gives: Photo.copied_from refers to no object'],
  ],
  [
    'a way back from objects without an id',
    (document) => ways('/photos')(document).push({ field: 'uses', of: ['credits'], description: 'x' }),
    ['paths./photos.get.x-ways-back.uses.of: Photo.credits refers to no object'],
  ],
  [
    'a way back whose name GraphQL cannot have',
    (document) => Object.assign(ways('/photos')(document)[0], { field: 'the-photos' }),
    ['paths./photos.get.x-ways-back.0.field: is no name of GraphQL'],
  ],
  [
    'a way back of rows that a text ends',
    (document) => Object.assign(ways('/photos')(document)[0], { where: 'barcode' }),
    ['paths./photos.get.x-ways-back.photos.where: Photo has no boolean barcode'],
  ],
  [
    'two ways back of one name',
    (document) => ways('/collections')(document).push({ field: 'photos', of: ['parent_id'], description: 'x' }),
    ['paths./photos.get.x-ways-back.photos: Collection has another way back of this name'],
  ],
  [
    'a way back of a single object',
    ({ paths }) =>
      Object.assign(paths['/photos/{id}'].get, {
        'x-ways-back': [{ field: 'x', of: ['scanned_by'], description: 'x' }],
      }),
    ['paths./photos/{id}.get.x-ways-back: needs x-newest-first, because a way back shows the newest rows'],
  ],
  [
    'a filter of a kind that there is not',
    ({ paths }) => Object.assign(paths['/loans'].get.parameters[0].schema, { 'x-reference': 'Prty' }),
    ['paths./loans.get.parameters.borrower.schema.x-reference: no schema Prty'],
  ],
  [
    'an argument whose name GraphQL cannot have',
    ({ paths }) => Object.assign(paths['/films/{id}'].get.parameters[0], { 'x-argument': 'the film' }),
    ['paths./films/{id}.get.parameters.0.x-argument: is no name of GraphQL'],
  ],
  [
    'totals by a filter of another kind',
    (document) => Object.assign(totals('/photos')(document).on[0], { by: 'creator' }),
    ['paths./photos.get.x-totals.on.0.by: creator needs an x-reference to Collection, whose rows it asks for'],
  ],
  [
    'totals by the name that the service has for an id',
    (document) => Object.assign(totals('/photos')(document), { groupBy: ['collection_id'] }),
    [
      'paths./photos.get.x-totals.groupBy: Photo.collection_id is no reference, enum or text; the graph calls it collection',
    ],
  ],
  [
    'totals in a field whose name GraphQL cannot have',
    (document) => Object.assign(totals('/photos')(document).on[0], { field: 'photo sums' }),
    ['paths./photos.get.x-totals.on.0.field: is no name of GraphQL'],
  ],
  [
    'a lineage whose quantity is a text',
    (document) => Object.assign(lineage('/photos')(document), { quantity: 'barcode' }),
    ['paths./photos.get.x-lineage.quantity: Photo has no property barcode that is a number'],
  ],
  [
    'a lineage from a list of givers',
    (document) => Object.assign(lineage('/photos')(document), { source: 'tags', destination: 'tags' }),
    ['paths./photos.get.x-lineage: Photo.tags and Photo.tags refer to no objects of one type'],
  ],
  [
    'a lineage whose name GraphQL cannot have',
    (document) => Object.assign(lineage('/photos')(document), { row: 'a photo' }),
    ['paths./photos.get.x-lineage.row: is no name of GraphQL'],
  ],
  [
    'assignments that end by a text',
    (document) => Object.assign(holders('/loans')(document), { active: 'barcode' }),
    ['paths./loans.get.x-holders.active: Loan has no property barcode that is a boolean'],
  ],
  [
    'assignments in order of a text',
    (document) => Object.assign(holders('/loans')(document), { newest: 'barcode' }),
    ['paths./loans.get.x-holders.newest: Loan has no property barcode that is a time'],
  ],
  [
    'things that a number or an object names',
    (document) => Object.assign(holders('/loans')(document), { by: ['days', 'item'] }),
    [
      'paths./loans.get.x-holders.by: Loan has no property days that is a text',
      'paths./loans.get.x-holders.by: Loan has no property item that is a text',
    ],
  ],
  [
    'candidates by nothing',
    (document) => Object.assign(candidates('/people')(document), { compares: {} }),
    ['paths./people.get.x-candidates.compares: compares nothing'],
  ],
  [
    'candidates in a field whose name GraphQL cannot have',
    (document) => Object.assign(candidates('/people')(document), { field: '1st' }),
    ['paths./people.get.x-candidates.field: is no name of GraphQL'],
  ],
  [
    'a place in a text',
    (document) => Object.assign(geo('/places')(document), { latitude: 'name' }),
    ['paths./places.get.x-geo.latitude: Place has no property name that is a number'],
  ],
  [
    'two places of one kind',
    ({ paths }) => {
      paths['/more'] = { get: { ...paths['/places'].get, operationId: 'listMorePlaces' } };
    },
    ['paths./more.get.x-geo: another list of Place has it too'],
  ],
])('the generator refuses %s', (_what, change, mistakes) => {
  expect(mistakesAfter(change)).toEqual(mistakes);
});

test.each<[what: string, change: (document: Document) => unknown]>([
  [
    'a property for writes alone, in the schemas of rows and objects',
    ({ components: { schemas } }) => {
      for (const { properties } of [schemas.Person, schemas.PersonRow])
        properties.password = { type: 'string', writeOnly: true };
    },
  ],
  [
    'another form of a property in rows',
    ({ components: { schemas } }) => Object.assign(schemas.PersonRow.properties.name, { maxLength: 80 }),
  ],
  [
    'a body with other bounds than its object, and with null',
    ({ paths, components: { schemas } }) => {
      const barcode = { ...schemas.Film.properties.barcode, minLength: 1, maxLength: 20, nullable: true };
      schemas.FilmWrite = { type: 'object', properties: { barcode } };
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/FilmWrite' } } };
      paths['/films'] = {
        post: { operationId: 'createFilm', requestBody: { content }, responses: paths['/films/{id}'].get.responses },
      };
    },
  ],
  [
    'other names of objects that some have',
    (document) => Object.assign(document['x-wire'], { otherIds: ['barcode', 'camera'] }),
  ],
  ['assignments in order of unix times', (document) => Object.assign(holders('/loans')(document), { newest: 'days' })],
  [
    'candidates by a number',
    (document) => Object.assign(candidates('/people')(document).compares, { number: { of: ['id'], as: 'codes' } }),
  ],
])('the generator accepts %s', (_what, change) => {
  expect(mistakesAfter(change)).toEqual([]);
});

/** Keys of schemas. */
test.each<[what: string, change: (schemas: Document) => unknown, mistakes: string[]]>([
  [
    'a value that shows two kinds',
    ({ Item }) => Object.assign(Item['x-evidence'].Loan[1], { equals: 'Photo' }),
    [0, 1].map((index) => `components.schemas.Item.x-evidence.Loan.${index}.equals: shows another kind too`),
  ],
  [
    'evidence of another reference',
    ({ Item }) => Object.assign(Item['x-evidence'].Loan[0], { field: 'borrower_id' }),
    ['components.schemas.Item.x-evidence.Loan.0.field: Loan.borrower does not refer to Item'],
  ],
  ...['Person', 'Party', 'Item'].map((unknown): [string, (schemas: Document) => unknown, string[]] => [
    `the type ${unknown} for what is unknown`,
    ({ Party }) => Object.assign(Party, { 'x-unknown': unknown }),
    [
      'components.schemas.Party.x-unknown: needs the name of a new type, for an object of unknown kind; or x-scalar: JSON',
    ],
  ]),
  ...['x-unknown', 'x-evidence'].map((key): [string, (schemas: Document) => unknown, string[]] => [
    `${key} of an object`,
    ({ Film, Item }) => Object.assign(Film, { [key]: Item[key] }),
    ['components.schemas.Film: has x-unknown and x-evidence only with oneOf of several objects'],
  ]),
  [
    'a kind that nothing gives',
    ({ Party }) => Party.oneOf.push({ $ref: '#/components/schemas/Meta' }),
    ['components.schemas.Party.oneOf: no GET by id gives Meta, and no list without an id in its path'],
  ],
  [
    'a reference beside the items of a list',
    ({ Photo }) =>
      Object.assign(Photo.properties, {
        seen_by: { type: 'array', items: { type: 'integer' }, 'x-reference': 'Person' },
      }),
    ['components.schemas.Photo.properties.seen_by.x-reference: belongs to its items'],
  ],
  [
    'a boolean that refers to an object',
    ({ Film }) => Object.assign(Film.properties, { is_lent: { type: 'boolean', 'x-reference': 'Person' } }),
    ['components.schemas.Film.properties.is_lent.x-reference: a boolean is no id'],
  ],
  [
    'a field whose name GraphQL cannot have',
    ({ Film }) => Object.assign(Film, { 'x-graphql-only': { 'is-late': { type: 'Boolean' } } }),
    ['components.schemas.Film.x-graphql-only.is-late: is no name of GraphQL'],
  ],
])('the generator refuses %s', (_what, change, mistakes) => {
  expect(mistakesAfter(({ components }) => change(components.schemas))).toEqual(mistakes);
});

test('the generator refuses another name of objects that none has', () => {
  expect(mistakesAfter((document) => Object.assign(document['x-wire'], { otherIds: ['barcode', 'isbn'] }))).toEqual([
    'x-wire.otherIds: no object has a property isbn',
  ]);
});

test.each(['/people', '/people/{id}'])('the generator refuses the name of a union for %s', (path) => {
  const name = path === '/people' ? 'listParty' : 'getParty';
  expect(mistakesAfter(({ paths }) => Object.assign(paths[path].get, { operationId: name }))).toEqual([
    `paths.${path}.get.operationId: components.schemas.Party makes the field party too; choose another name`,
  ]);
});

test('the name of an operation may begin with a digit', () => {
  const answers = archive().paths['/films/{id}'].get.responses;
  const change = ({ paths }: Document) => {
    paths['/films/{id}/return'] = { ...paths['/films/{id}'], get: undefined };
    paths['/films/{id}/return'].post = { ...paths['/films/{id}'].get, operationId: '2return', responses: answers };
  };
  const document = archive();
  change(document);
  expect(described(JSON.stringify(document), '', archiveParts).typeDefs).toContain('  _2return(');
});

test('the id of a part of an object may be null', () => {
  const { typeDefs } = described(JSON.stringify(archive()), '', archiveParts);
  expect(typeDefs).toMatch(/type Meta \{[^}]*\n {2}id: ID\n/);
});
