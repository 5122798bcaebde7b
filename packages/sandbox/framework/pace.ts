import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Pace } from './options.ts';
import { endpoints } from './resources.ts';

/** Measured of a real deployment at rest. Nobody has measured its writes: 40 ms is a guess. */
export const realPace: Pace = {
  workers: 4,
  default: { callMs: 40 },
  'GET /supply-chains/farmers/': { callMs: 30, rowMs: 6 },
  'GET /supply-chains/farmers/{hashid}/': { callMs: 30 },
  'GET /supply-chains/companies/{hashid}/': { callMs: 100 },
  'GET /supply-chains/entity-cards/': { callMs: 25, rowMs: 1 },
  'GET /accounts/users/{hashid}/': { callMs: 25 },
  'GET /catalogs/connect-cards/': { callMs: 25, rowMs: 0.6 },
  'GET /catalogs/products/': { callMs: 20, rowMs: 2 },
  'GET /catalogs/currencies/': { callMs: 11, rowMs: 0.1 },
  'GET /catalogs/premiums/{hashid}/': { callMs: 30 },
  'GET /forms/forms/{hashid}/': { callMs: 30 },
  'GET /transactions/product-transactions/': { callMs: 30, rowMs: 12.5 },
  'GET /transactions/product-transactions/{hashid}/': { callMs: 31 },
  'GET /transactions/payment-transactions/': { callMs: 27, rowMs: 11 },
  'GET /transactions/payment-transactions/{hashid}/': { callMs: 35 },
};

/** Milliseconds of a worker for one call. */
export function costOf(pace: Pace, method: string, template: string, rows = 0): number {
  const { callMs, rowMs = 0 } = pace[`${method as 'GET'} ${template as '/'}`] ?? pace.default ?? { callMs: 0 };
  return callMs + rowMs * rows;
}

/**
 * `none`, `real`, or the figures of a JSON or YAML file.
 * @throws Error that lists every mistake of the file.
 */
export function readPace(name: string): Pace | undefined {
  if (name === 'none') return undefined;
  if (name === 'real') return realPace;
  const mistake = (text: string) => new Error(`SANDBOX_PACE: ${name} ${text}`);
  let file: unknown;
  try {
    file = parse(readFileSync(name, 'utf8'));
  } catch (error) {
    throw mistake(`is neither real nor none, and no file that can be read: ${(error as Error).message}`);
  }
  const mistakes = mistakesOf(file);
  if (mistakes) throw mistake(`cannot be used: ${mistakes}`);
  return file as Pace;
}

/** The costs of a name or of a test. */
export function paceOf(pace: 'real' | 'none' | Pace): Pace | undefined {
  if (pace === 'none') return undefined;
  if (pace === 'real') return realPace;
  const mistakes = mistakesOf(pace);
  if (mistakes) throw new Error(`pace: ${JSON.stringify(pace)} is neither real nor none, and no costs: ${mistakes}.`);
  return pace;
}

function mistakesOf(pace: unknown): string {
  return schema.safeParse(pace).error?.issues.flatMap(sentencesOf).join('; ') ?? '';
}

const ms = () => z.number('must be a number of milliseconds').min(0, 'must not be negative');
const cost = () =>
  z
    .strictObject(
      { callMs: ms(), rowMs: ms().optional() },
      { error: isNoObject('must be an object with callMs and rowMs') },
    )
    .optional();
const wholeNumber = 'must be a whole number from 1 on';
const schema = z.strictObject(
  {
    workers: z.int(wholeNumber).positive(wholeNumber).optional(),
    slowdown: z.number('must be a number').min(0, 'must not be negative').optional(),
    default: cost(),
    ...Object.fromEntries(endpoints.map(({ method, template }) => [`${method} ${template}`, cost()])),
  },
  { error: isNoObject('must be an object of endpoints') },
);

function isNoObject(message: string) {
  return ({ code }: { code?: string | undefined }) => (code === 'invalid_type' ? message : undefined);
}

function sentencesOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'unrecognized_keys') return [[...issue.path, issue.message].join(' ')];
  const isCost = issue.path.length > 0;
  return issue.keys.map((key) =>
    [...issue.path, key, isCost ? 'is neither callMs nor rowMs' : 'is no endpoint'].join(' '),
  );
}
