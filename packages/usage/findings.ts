import type { Operation } from '@gateway/cost-report';
import type { GraphQLSchema } from 'graphql';
import { elementsIn, elementsOf, endOfDay, removalDay } from './elements.ts';
import type { Observed, Use } from './observed.ts';

/** Days without a use before an element may go. Apps that run once a month are seen too. */
export const quietDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

/** The answer to the question whether an element may go. */
export interface Finding {
  element: string;
  /** The reason of its deprecation. */
  deprecated: string | undefined;
  /** The element may go after this day. */
  day: string | undefined;
  /** The time that all sources have observed. */
  countedSince: Date | undefined;
  uses: readonly Use[];
  /** Documents of apps that name the element. */
  documents: readonly Pick<Operation, 'name' | 'file'>[];
  /** Sentences that say why the element may not go. None where it may. */
  reasons: readonly string[];
}

export interface Evidence {
  schema: GraphQLSchema;
  operations: readonly Operation[];
  observed: readonly Observed[];
  now: Date;
}

/** Coordinates of the deprecated elements of a schema. */
export function deprecatedIn(schema: GraphQLSchema): string[] {
  return [...elementsOf(schema)].filter(([, reason]) => reason !== undefined).map(([element]) => element);
}

/** @throws Error for an element that the schema lacks. */
export function findingsOf(asked: readonly string[], { schema, operations, observed, now }: Evidence): Finding[] {
  const elements = elementsOf(schema);
  const named = operations.map(({ name, file, document }) => ({ name, file, elements: elementsIn(schema, document) }));
  return asked.map((element) => {
    if (!elements.has(element)) {
      throw new Error(
        `${element}: The schema has no such element. For one that is removed already: --schema schema/released/schema.graphql.`,
      );
    }
    const deprecated = elements.get(element);
    const found = {
      element,
      deprecated,
      day: removalDay(deprecated),
      countedSince: latestOf(observed.map(({ since }) => since.get(element))),
      uses: observed.flatMap(({ uses }) => uses.filter((use) => use.element === element)),
      documents: named.filter((each) => each.elements.has(element)).map(({ name, file }) => ({ name, file })),
    };
    return { ...found, reasons: [...reasonsAgainst(found, observed, now)] };
  });
}

function* reasonsAgainst(
  { element, deprecated, day, uses, documents }: Omit<Finding, 'reasons'>,
  observed: readonly Observed[],
  now: Date,
): Iterable<string> {
  if (deprecated === undefined) yield `The schema does not deprecate ${element}.`;
  else if (!day) yield 'The deprecation names no day: "May be removed after 2027-06-30."';
  else if (now < endOfDay(day)) yield `The day ${day} has not passed.`;
  for (const { name, file } of documents) yield `The document ${name} in ${file} names ${element}.`;
  for (const { client, document, lastUsed } of uses) {
    const inDocument = document === 'none' ? '' : ` in the trusted document ${document}`;
    if (daysBetween(lastUsed, now) < quietDays)
      yield `The client ${client} used ${element} at ${timeOf(lastUsed)}${inDocument}.`;
  }
  if (observed.length === 0) yield 'No running gateway was asked: add the URL of its metrics, or --prometheus.';
  if (deprecated === undefined) return;
  for (const { from, since } of observed) {
    const begin = since.get(element);
    if (!begin) yield `${from} has no counts of ${element}.`;
    else if (daysBetween(begin, now) < quietDays) {
      yield `${from} has counts of ${element} since ${timeOf(begin)} alone: ${quietDays} days are needed.`;
    }
  }
}

/** Undefined where one of the sources has not counted. */
function latestOf(dates: readonly (Date | undefined)[]): Date | undefined {
  const known = dates.filter((date) => date !== undefined);
  if (known.length < dates.length || known.length === 0) return undefined;
  return new Date(Math.max(...known.map((date) => date.getTime())));
}

export function daysBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / dayMs;
}

/** To the second. */
export function timeOf(date: Date): string {
  return date.toISOString().replace(/\.\d+/, '');
}
