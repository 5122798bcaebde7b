import { expect, test } from 'vitest';
import { described } from '../../rest-graph/test/described-service.ts';
import { document } from '../../rest-graph/test/notes.ts';
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
