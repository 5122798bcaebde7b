import { expect, test } from 'vitest';
import { described } from '../../rest-graph/test/described-service.ts';
import { document, kind } from '../../rest-graph/test/notes.ts';
import pushContract from '../codegen.ts';

test('a service without writes has no push, and the generator says so', () => {
  const readOnly = document({ wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }' }).replace(
    / {4}put:[\s\S]*?Written\. \} \}\n/,
    '',
  );
  expect(() => described(readOnly, '', [pushContract])).toThrow(
    'paths: no write has a JSON body, which the part `push` needs',
  );
});

test('a schema with the name of a type of push is refused with its place', () => {
  const text = document({
    paths: kind('Write', 'writes'),
    schemas: '    Write: { type: object, required: [id], properties: { id: { type: string } } }',
  });
  expect(() => described(text, '', [pushContract])).toThrow(
    'components.schemas.Write: a part may have this type; name yours with x-type',
  );
  const renamed = text.replace('    Write: { type', '    Write: { x-type: Text, type');
  expect(described(renamed, '', [pushContract]).typeDefs).toContain('type Text {');
});
