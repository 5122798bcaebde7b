import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { exitCodeOf, type Output } from '@gateway/base';
import { type App, executableSchema } from '@gateway/rest-graph';
import { priorCosts } from '@gateway/upstream';
import { type ReportedOperation, reportOf } from './cost-report.ts';
import { readOperations } from './documents.ts';
import { type CostReport, type Format, figures, formats, textOf } from './formats.ts';
import { readCosts } from './read-costs.ts';
import type { StartTrial } from './trial.ts';

export type { Operation as TrialOperation } from './documents.ts';
export { type SampleIds, sampleFile } from './sample-variables.ts';
export { serviceTimeOf } from './service-time.ts';
export { startStepwiseService } from './stepwise-service.ts';
export type { StartTrial } from './trial.ts';

/** The service that the report is about. */
export interface Reported {
  app: App;
  startTrial: StartTrial;
}

const usage = `npm run bill -- [options] <files of GraphQL, manifests of persisted documents, or folders>

What each operation costs the REST service, measured with sample variables over the sandbox.
"service ms" is the time that the service works, over all calls; "ms" is the time until the last answer.

  --format table|markdown|json
  --dialect spec|connect  what the service of the report speaks; filters that spec lacks need connect (spec)
  --max <calls>         fails where an operation takes more
  --max-ms <ms>         fails where the service works longer for an operation
  --against <file>      an earlier report in JSON, to show what has grown
  --costs <URL|file>    the metrics of a running gateway, for what calls and rows cost its service (the contract's figures)
  --variables <file>    JSON: the variables of operations, by their name, in place of samples`;

/** Returns the exit code: 1 where an operation is too dear, 2 where there is no report. */
export function runCostReport(args: string[], output: Output, reported: Reported): Promise<number> {
  return exitCodeOf(() => writeReport(args, output, reported), output);
}

async function writeReport(args: string[], output: Output, { app, startTrial }: Reported): Promise<number> {
  const dialects = app.contract.data.dialects.map(({ name }) => name);
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      format: { type: 'string', default: 'table' },
      dialect: { type: 'string', default: dialects[0] ?? '' },
      max: { type: 'string' },
      'max-ms': { type: 'string' },
      against: { type: 'string' },
      costs: { type: 'string' },
      variables: { type: 'string' },
    },
  });
  if (values.help || positionals.length === 0) {
    output.log(usage);
    return values.help ? 0 : 2;
  }
  const format = formatOf(values.format);
  const { dialect } = values;
  if (!dialects.includes(dialect)) throw new Error(`--dialect is ${dialects.join(' or ')}.`);
  const bounds = [
    { option: 'max', heading: 'calls', most: numberOf('max', values.max) },
    { option: 'max-ms', heading: 'service ms', most: numberOf('max-ms', values['max-ms']) },
  ] as const;
  const variables = values.variables === undefined ? {} : readJson(values.variables);
  const against = values.against === undefined ? undefined : (readJson(values.against) as CostReport);
  const costs = values.costs === undefined ? priorCosts(app.contract) : await readCosts(values.costs, app.contract);
  const schema = executableSchema(app);
  const operations = readOperations(positionals, schema);

  const trial = await startTrial(costs, dialect);
  const items: ReportedOperation[] = [];
  for (const operation of operations) {
    items.push(await reportOf(operation, { schema, trial, variables }));
  }
  await trial.close();

  output.log(textOf({ operations: items }, format, against));
  const excesses = items.flatMap((item) =>
    bounds.flatMap(({ option, heading, most }) => {
      const figure = figures[heading](item);
      return figure > most ? [`${item.name} in ${item.file}: ${figure} ${heading}; --${option} allows ${most}.`] : [];
    }),
  );
  for (const excess of excesses) output.error(excess);
  return excesses.length > 0 ? 1 : 0;
}

function formatOf(given: string): Format {
  const format = formats.find((each) => each === given);
  if (!format) throw new Error(`--format is one of ${formats.join(', ')}.`);
  return format;
}

function numberOf(option: string, given: string | undefined): number {
  const number = given === undefined ? Number.POSITIVE_INFINITY : Number(given);
  if (!(number >= 0)) throw new Error(`--${option} is a number.`);
  return number;
}

function readJson(file: string) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}
