import { expect, test } from 'vitest';
import { propertiesOf, referencedName, requiredOf, type Schema, schemas } from './rest-contract.ts';

test('a property that is written and read has the same bounds, values and format both times', () => {
  const different = Object.keys(schemas).flatMap((written) => {
    const read = propertiesOfAnswer(written.replace(/(Write|Patch)$/, ''));
    const properties = Object.entries(propertiesOf(written)).filter(([, property]) => !embeds(property));
    return properties.filter(([name, property]) => !isSame(property, read[name])).map(([name]) => `${written}.${name}`);
  });

  expect(different).toEqual([]);
});

test('an answer that expands the references of a company keeps its other properties', () => {
  const expanded = ['currency', 'buyer', 'entity_card'];
  const kept = Object.entries(propertiesOf('Company')).filter(([name]) => !expanded.includes(name));

  expect(propertiesOf('CompanyDetail')).toMatchObject(Object.fromEntries(kept));
});

test('every reference names a resource of the document, an entity or a policy', () => {
  const references = Object.keys(schemas).flatMap((name) =>
    Object.values(propertiesOf(name)).flatMap((property) => (property.items ?? property)['x-reference'] ?? []),
  );

  expect(references.filter((name) => !(name in schemas) && name !== 'Entity' && name !== 'Policy')).toEqual([]);
});

test('answers require their id, pages their count and results, and nothing else', () => {
  for (const name of Object.keys(schemas).filter((schema) => !/(Write|Patch)$/.test(schema))) {
    expect(requiredOf(name), name).toEqual(name.endsWith('Page') ? ['count', 'results'] : ['id']);
  }
});

function propertiesOfAnswer(name: string): Record<string, Schema> {
  return name in schemas ? propertiesOf(name) : {};
}

function embeds(property: Schema): boolean {
  return referencedName(property.items ?? property) !== undefined;
}

function isSame(written: Schema, read: Schema | undefined): boolean {
  return JSON.stringify(written) === JSON.stringify(read);
}
