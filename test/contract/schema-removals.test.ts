import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Removal } from '../../packages/usage/removals.ts';
import { removalsWithoutEvidence } from './schema-removals.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('every element of the released schema is there, or its removal has evidence', () => {
  const removals = JSON.parse(read('schema/released/removals.json'));
  const released = read('schema/released/schema.graphql');
  expect(removalsWithoutEvidence(released, read('schema/generated/schema.graphql'), removals)).toEqual([]);
});

describe('a removal', () => {
  const deprecated = '@deprecated(reason: "Use `id`. May be removed after 2026-06-30.")';
  const released = `
    type Query { farmers(name: String ${deprecated}, id: ID): Farmer, farms: Farm }
    type Farmer { id: ID, number: String ${deprecated}, kept: Int, order(by: Order, in: Filter): Int }
    type Farm { id: ID }
    enum Order { AGE ${deprecated} ID }
    input Filter { age: Int ${deprecated}, id: ID }`;
  const evidence = {
    element: 'Farmer.number',
    day: '2026-06-30',
    observed: { from: '2026-06-10T00:00:00Z', to: '2026-07-11T00:00:00Z' },
    sources: ['http://gateway/metrics'],
    uses: 0,
  };

  test.each([
    ['a field', `, number: String ${deprecated}`, 'Farmer.number'],
    ['an argument', `name: String ${deprecated}, `, 'Query.farmers(name:)'],
    ['a value', `AGE ${deprecated} `, 'Order.AGE'],
    ['an input field', `age: Int ${deprecated}, `, 'Filter.age'],
  ])('needs evidence for %s', (_what, text, element) => {
    const current = released.replace(text, '');
    expect(removalsWithoutEvidence(released, current, [])).toEqual([
      `${element}: There is no evidence that nothing uses it. Put it back, or run: npm run -s usage -- ` +
        '--schema schema/released/schema.graphql --evidence schema/released/removals.json ' +
        `--element '${element}' --prometheus <URL> <manifests of the apps>`,
    ]);
    expect(removalsWithoutEvidence(released, current, [{ ...evidence, element }])).toEqual([]);
  });

  test.each<[string, Partial<Removal>, string]>([
    ['another day', { day: '2026-05-31' }, 'for the day 2026-05-31'],
    [
      'an end before the day has passed',
      { observed: { from: '2026-05-01', to: '2026-06-30T23:59:59Z' } },
      'ends before',
    ],
    ['29 days', { observed: { from: '2026-06-10', to: '2026-07-09' } }, 'less than 30 days'],
    ['a use', { uses: 1 }, 'shows 1 uses'],
    ['no times', { observed: { from: '', to: '' } }, 'ends before'],
  ])('is refused over evidence with %s', (_what, change, message) => {
    const current = released.replace(`, number: String ${deprecated}`, '');
    const [problem, ...others] = removalsWithoutEvidence(released, current, [{ ...evidence, ...change }]);
    expect(problem).toContain(message);
    expect(problem).toContain('npm run -s usage');
    expect(others).toEqual([]);
  });

  test('is refused for an element that was never deprecated, whatever the evidence', () => {
    const current = released.replace(', kept: Int', '');
    const removals = [{ ...evidence, element: 'Farmer.kept' }];
    expect(removalsWithoutEvidence(released, current, removals)).toEqual([
      'Farmer.kept: The released schema names no day for its removal: put it back, and deprecate it.',
    ]);
  });

  test('needs evidence for the fields that lead to a type, and none for the type', () => {
    const current = released.replace(', farms: Farm', '').replace('type Farm { id: ID }', '');
    expect(removalsWithoutEvidence(released, current, [])).toEqual([expect.stringContaining('Query.farms: ')]);
  });
});
