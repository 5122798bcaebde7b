import identifyContract from '../../identify/codegen.ts';
import lineageContract from '../../lineage/codegen.ts';
import mapContract from '../../map/codegen.ts';
import totalsContract from '../../totals/codegen.ts';

/** The parts whose keys the archive has. */
export const archiveParts = [identifyContract, lineageContract, mapContract, totalsContract];

// biome-ignore lint/suspicious/noExplicitAny: tests change whatever the document has
export type Document = any;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const integer = { type: 'integer' };
const time = { type: 'string', format: 'date-time' };
const idOf = (kind: string) => ({ type: 'integer', 'x-reference': kind });
const object = (properties: object) => ({
  type: 'object',
  required: ['id'],
  properties: { id: integer, ...properties },
});
const answer = (name: string) => ({ 200: { content: { 'application/json': { schema: ref(name) } } } });
const byId = { name: 'id', in: 'path', required: true, schema: integer };
const filter = (name: string, schema: object, more = {}) => ({ name, in: 'query', schema, ...more });
const get = (kind: string) => ({ operationId: `get${kind}`, parameters: [byId], responses: answer(kind) });
const list = (kind: string, filters: object[], keys = {}) => ({
  operationId: `list${kind}s`,
  parameters: [...filters, filter('page', integer), filter('size', integer)],
  responses: answer(`${kind}Page`),
  ...keys,
});
const pageOf = (row: string) => ({
  type: 'object',
  properties: { total: integer, data: { type: 'array', items: ref(row) } },
});

/** A media archive: collections in a tree, photos of several creators, loans of photos and films, and places. */
export function archive(): Document {
  const document = {
    openapi: '3.0.3',
    security: [{ key: [] }],
    paths: {
      '/collections': {
        get: list('Collection', [filter('parent_id', idOf('Collection')), filter('q', text)], {
          'x-newest-first': 'made_at',
          'x-ways-back': [{ field: 'children', of: ['parent_id'], by: 'parent_id', description: 'Those within.' }],
        }),
      },
      '/collections/{id}': { get: get('Collection') },
      '/photos': {
        get: list(
          'Photo',
          [
            filter('collection', idOf('Collection'), { 'x-shown-by': ['collection_id'] }),
            filter('creator', idOf('Person'), { 'x-shown-by': ['credits.person_id'] }),
          ],
          {
            'x-newest-first': 'made_at',
            'x-ways-back': [{ field: 'photos', of: ['collection_id'], by: 'collection', description: 'Photos of it.' }],
            'x-totals': {
              groupBy: ['collection'],
              inside: [{ field: 'shares', of: 'credits', by: 'person', sums: ['share'] }],
              on: [{ type: 'Collection', field: 'sums', of: ['collection'], by: 'collection', description: 'Sums.' }],
            },
            'x-lineage': {
              ...{ parents: 'copied_from', source: 'scanned_by', destination: 'restored_by', quantity: 'value' },
              ...{ back: 'originals', forward: 'copies', row: 'photo' },
            },
          },
        ),
      },
      '/photos/{id}': { get: get('Photo') },
      '/films/{id}': { get: get('Film') },
      '/people': {
        get: list('Person', [filter('name', text)], {
          'x-proves-key': true,
          'x-candidates': {
            field: 'personCandidates',
            compares: { name: { of: ['name'], as: 'names' } },
            description: 'Persons who may be there.',
          },
        }),
      },
      '/people/{id}': { get: get('Person') },
      '/institutions/{id}': { get: get('Institution') },
      '/loans': {
        get: list(
          'Loan',
          [filter('borrower', idOf('Party')), filter('changed-since', time, { 'x-argument': 'changed_since' })],
          {
            'x-newest-first': 'made_at',
            'x-changes': 'changed-since',
            'x-holders': {
              ...{ field: 'itemHolder', argument: 'barcode', by: ['barcode'], holder: 'borrower' },
              ...{ active: 'is_out', newest: 'made_at', description: 'Who has it?' },
            },
          },
        ),
      },
      '/places': { get: list('Place', [], { 'x-geo': { latitude: 'lat', longitude: 'lng' } }) },
    },
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      schemas: {
        Collection: object({ name: text, parent_id: idOf('Collection'), made_at: time }),
        CollectionPage: pageOf('Collection'),
        Photo: object({
          ...{ barcode: text, made_at: time, collection_id: idOf('Collection'), value: { type: 'number' } },
          ...{ scanned_by: idOf('Party'), restored_by: idOf('Party') },
          ...{ tag_ids: { type: 'array', items: idOf('Place') }, copied_from: { type: 'array', items: idOf('Photo') } },
          credits: { type: 'array', items: ref('Credit') },
          meta: ref('Meta'),
        }),
        PhotoPage: pageOf('Photo'),
        Credit: { type: 'object', properties: { person_id: idOf('Person'), share: { type: 'number' } } },
        Meta: { type: 'object', properties: { id: { ...text, nullable: true }, camera: text } },
        Film: object({ barcode: text }),
        Item: {
          oneOf: [ref('Photo'), ref('Film')],
          'x-unknown': 'UnknownItem',
          'x-evidence': {
            Loan: ['Photo', 'Film'].map((is) => ({ field: 'item_id', is, where: 'item_kind', equals: is })),
          },
        },
        PersonRow: { 'x-type': 'Person', ...object({ name: text }) },
        Person: object({ name: text, biography: text }),
        PersonPage: pageOf('PersonRow'),
        Institution: object({ name: text, city: text }),
        Party: { oneOf: [ref('Person'), ref('Institution')], 'x-unknown': 'UnknownParty' },
        Loan: object({
          ...{ item_id: idOf('Item'), item_kind: text, borrower_id: idOf('Party'), barcode: text },
          ...{ is_out: { type: 'boolean' }, made_at: time, days: integer },
        }),
        LoanPage: pageOf('Loan'),
        Place: object({ name: text, lat: { type: 'number' }, lng: { type: 'number' } }),
        PlacePage: pageOf('Place'),
      },
    },
    'x-wire': { page: { count: 'total', rows: 'data', limit: 'size', number: 'page' } },
  };
  // Parts of it share values, and a change of one is not to be one of all.
  return JSON.parse(JSON.stringify(document));
}
