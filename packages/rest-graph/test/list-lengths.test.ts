import { expect, test } from 'vitest';
import { serviceContract } from '../../../src/service-contract.ts';
import { callerOf } from '../../../test/support/caller.ts';
import { Knowledge } from '../../upstream/knowledge.ts';
import type { Filters } from '../load/lists/filters.ts';
import { listsOf } from './list-reads.ts';

const caller = callerOf({ authorization: 'a key' });

test.each([
  { what: 'a full page', offset: 100, rows: 100, count: 350, known: 350 },
  { what: 'a whole list', offset: 0, rows: 7, count: 7, known: 7 },
  { what: 'an empty list', offset: 0, rows: 0, count: 0, known: 0 },
  { what: 'a page of a service with small pages', offset: 0, rows: 20, count: 350, known: undefined },
  { what: 'the last page of a list', offset: 300, rows: 50, count: 350, known: 350 },
  { what: 'a page past the end', offset: 400, rows: 0, count: 350, known: 350 },
])('$what gives the size of a list: $known', ({ offset, rows, count, known }) => {
  const knowledge = new Knowledge(serviceContract);
  knowledge.learnPage(caller, 'listFarmers', { offset, limit: 100 }, { count, rows: Array.from({ length: rows }) });

  expect(knowledge.find(caller)?.lengthOf('listFarmers')).toBe(known);
  expect(knowledge.find(caller)?.lengthOf('listCards')).toBeUndefined();
  expect(knowledge.find(callerOf({ authorization: 'another key' }))?.lengthOf('listFarmers')).toBeUndefined();
});

test('a list unknown for a caller is taken to be as long as the shortest known, until that expires', () => {
  const knowledge = new Knowledge(serviceContract);
  const list = knowledge.list('listFarmers');
  const page = { offset: 0, limit: 100 };
  const rows = Array.from({ length: 100 });
  expect(list.guessLength()).toBeUndefined();

  knowledge.learnPage(caller, 'listFarmers', page, { count: 1_700, rows });
  knowledge.learnPage(callerOf({ authorization: 'another key' }), 'listFarmers', page, { count: 1_600, rows });
  const guesses = Array.from({ length: 51 }, () => list.guessLength());
  expect(guesses).toEqual([...Array.from({ length: 50 }, () => 1_600), undefined]);
  expect(knowledge.list('listCards').guessLength()).toBeUndefined();

  knowledge.learnPage(caller, 'listFarmers', page, { count: 1_700, rows });
  expect(list.guessLength()).toBe(1_700);
});

test('the count of a filtered list is not the size of the list', async () => {
  const answer = { count: 3, results: [] };
  const lists = listsOf({ read: async () => answer });
  const read = (filters: Filters) =>
    lists.of('listFarmers', filters).page({ offset: 0, limit: 1 }, { origin: { reason: 'root', fields: () => [] } });

  await read({ first_name: 'Ama' });
  expect(lists.of('listFarmers').length).toBeUndefined();

  await read({});
  expect(lists.of('listFarmers').length).toBe(3);
});
