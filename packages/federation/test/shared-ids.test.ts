import { expect, test } from 'vitest';
import { startDescribed } from '../../rest-graph/test/described-service.ts';
import { owned } from '../../rest-graph/test/notes.ts';
import { subgraphFields } from '../subgraph.ts';

test('a router cannot ask for an owner by an id that owners of two kinds may have', async () => {
  const gateway = await startDescribed({ document: owned, parts: { fields: (app) => [subgraphFields(app)] } }, () => ({
    status: 200,
    body: { id: '1', name: 'Ama' },
  }));
  const { data } = await gateway.query('{ _service { sdl } }');
  expect(data._service.sdl).toContain('interface Owner @key(fields: "id", resolvable: false) {');
  expect(data._service.sdl).toContain('type UnknownOwner implements Owner @key(fields: "id", resolvable: false) {');

  const { errors } = await gateway.query(
    '{ _entities(representations: [{ __typename: "UnknownOwner", id: "1" }]) { __typename } }',
  );
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});
