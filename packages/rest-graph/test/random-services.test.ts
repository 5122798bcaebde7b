import { buildSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { startDescribed } from './described-service.ts';
import { answerTo } from './random-service/answers.ts';
import { Chance } from './random-service/chance.ts';
import { costsOf } from './random-service/costs.ts';
import { documentOf } from './random-service/document.ts';
import { expectedOf } from './random-service/expected.ts';
import { randomDocument } from './random-service/random-document.ts';
import { type Caller, callers, randomWorld } from './random-service/world.ts';

// PROPERTY_RUNS sets the number of services, PROPERTY_SEED the first of them. A failure names its seed.
const services = Number(process.env.PROPERTY_RUNS ?? 25);
const firstSeed = Number(process.env.PROPERTY_SEED ?? 1);
const roundsPerService = 8;

test.each(Array.from({ length: services }, (_, index) => firstSeed + index))(
  'the random service %i shows each of two callers its objects, as GraphQL.js shows them',
  { timeout: 60_000 },
  async (seed) => {
    const world = randomWorld(seed);
    const { query, typeDefs } = await startDescribed(
      { document: documentOf(world), costs: costsOf(seed) },
      ({ method, path, headers, body }) =>
        answerTo(world, { method, path, body, caller: headers.authorization as Caller }),
    );
    const schema = buildSchema(typeDefs);
    const chance = new Chance(seed);
    for (let round = 0; round < roundsPerService; round += 1) {
      const asked = callers.map((caller) => ({ caller, text: randomDocument(world, schema, caller, chance) }));
      const valid = asked.filter(({ text }) => text !== '' && validate(schema, parse(text)).length === 0);
      // Both read at the same time. A write comes alone, because it changes what the other reads.
      const isWrite = valid.some(({ text }) => text.startsWith('mutation'));
      for (const together of isWrite ? valid.map((each) => [each]) : [valid]) await Promise.all(together.map(compare));
    }

    async function compare({ caller, text }: { caller: Caller; text: string }): Promise<void> {
      // The answer of a write shows its object as it is before the next write.
      const before = structuredClone(world);
      const { data, errors } = await query(text, {}, caller);
      if (errors.some(({ extensions }: Failure) => extensions.code === 'QUERY_TOO_COMPLEX')) return;
      const expected = await expectedOf(before, schema, text, caller);
      const paths = errors.map(({ path }: Failure) => path.join('.'));
      expect(
        paths.filter((path: string) => !expected.unseen.has(path)),
        `${text}\n${JSON.stringify(errors)}`,
      ).toEqual([]);
      const left = [...errors.map(({ path }: Failure) => path), ...expected.unsure];
      for (const path of left) for (const each of [data, expected.data]) removeAt(each, path);
      expect(data, text).toEqual(expected.data);
    }
  },
);

interface Failure {
  path: (string | number)[];
  extensions: { code: string };
}

function removeAt(data: unknown, path: readonly (string | number)[]): void {
  let place = data as Record<string | number, unknown> | null | undefined;
  for (const step of path.slice(0, -1)) place = place?.[step] as typeof place;
  if (place) place[path.at(-1) as string] = null;
}
