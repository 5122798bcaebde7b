import { readFileSync } from 'node:fs';
import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { undeclaredChanges } from './schema-changes.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const schema = read('schema/generated/schema.graphql');

test('no change of the released schema breaks valid queries, unless the changelog lists it', async () => {
  const changes = await undeclaredChanges(read('schema/released/schema.graphql'), schema, read('CHANGELOG.md'));
  expect(changes, 'List it under "Breaking" in CHANGELOG.md, or deprecate instead.').toEqual([]);
});

describe('a change', () => {
  const before = `
    directive @length(min: Int, max: Int) on INPUT_FIELD_DEFINITION
    type Query { farmers(first_name: String, last_name: String): [Farmer] }
    type Farmer { id: ID! number: String count: Int! }
    input Body { name: String @length(min: 1, max: 100) }`;
  const changelog = (breaking: string) => `# Changelog\n\n## Unreleased\n\n### Breaking\n\n${breaking}\n\n## 0.1.0\n`;

  test.each([
    ['a field is removed', 'number: String', '', 'Farmer.number'],
    ['a type changes', 'count: Int!', 'count: String!', 'Farmer.count'],
    ['an argument is removed', 'first_name: String, ', '', 'Query.farmers'],
    ['an input requires more', 'input Body {', 'input Body { last: String! ', 'Body.last'],
    ['a bound is tightened', 'max: 100', 'max: 50', 'Body.name'],
  ])('is breaking if %s', async (_what, from, to, place) => {
    const after = before.replace(from, to);
    expect(await undeclaredChanges(before, after, changelog('None.'))).not.toEqual([]);
    expect(await undeclaredChanges(before, after, changelog(`- \`${place}\`: why.`))).toEqual([]);
  });

  test.each([
    ['a field', 'count: Int!', 'count: Int! more(than: Int): String'],
    ['a field with a bound', 'input Body {', 'input Body { extra: String @length(max: 5) '],
    ['an input with a bound', 'input Body {', 'input Other { extra: String @length(max: 5) } input Body {'],
  ])('is not breaking if %s is added', async (_what, from, to) => {
    expect(await undeclaredChanges(before, before.replace(from, to), changelog('None.'))).toEqual([]);
  });
});

test('deprecated fields name their replacement and their end date', () => {
  const types = Object.values(buildSchema(schema).getTypeMap()).filter((type) => !type.name.startsWith('__'));
  const parts = types.flatMap((type): { name: string; deprecationReason?: string | null }[] => {
    if (isEnumType(type)) return [...type.getValues()];
    if (isInputObjectType(type)) return Object.values(type.getFields());
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => [field, ...field.args]);
  });
  expect(parts.length).toBeGreaterThan(500);
  for (const { name, deprecationReason } of parts) {
    if (deprecationReason)
      expect(deprecationReason, name).toMatch(/^Use `\w+`.* May be removed after \d{4}-\d\d-\d\d\.$/);
  }
});
