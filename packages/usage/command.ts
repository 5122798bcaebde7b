import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { exitCodeOf, type Output } from '@gateway/base';
import { namesDocuments, readOperations } from '@gateway/cost-report';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { endOfDay } from './elements.ts';
import { deprecatedIn, type Finding, findingsOf, quietDays, timeOf } from './findings.ts';
import { readObserved, readPrometheus } from './observed.ts';
import { writeRemovals } from './removals.ts';

const usage = `npm run -s usage -- [options] <sources>

May an element of the schema go? It may where it is deprecated, its day has passed, no document of an app names it, and no
client has used it for ${quietDays} days. Without --element, the report has all deprecated elements.

Sources are files or folders of documents (.graphql, .gql), manifests of trusted documents (.json), and metrics of running
gateways: the URL of /metrics, a file with its text, or - for the standard input.

  --element <coordinate>  Type.field, Type.field(argument:), Input.field or Enum.VALUE; several times for several
  --prometheus <URL>      a Prometheus server that scrapes the gateways; knows also those that have ended
  --schema <file>         another schema than that of this version
  --evidence <file>       writes what may go to this file: schema/released/removals.json
  --json                  the report as JSON

The exit code is 1 where an element that was asked for, or whose day has passed, may not go.`;

/** `ownSchema`: that of this version. Returns the exit code: 1 where an element is to go and may not, 2 where there is no report. */
export function runUsage(args: string[], output: Output, ownSchema: () => GraphQLSchema): Promise<number> {
  return exitCodeOf(() => writeReport(args, output, ownSchema), output);
}

async function writeReport(args: string[], output: Output, ownSchema: () => GraphQLSchema): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      element: { type: 'string', multiple: true },
      prometheus: { type: 'string', multiple: true, default: [] },
      schema: { type: 'string' },
      evidence: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals.length + values.prometheus.length === 0) {
    output.log(usage);
    return values.help ? 0 : 2;
  }
  const schema = values.schema === undefined ? ownSchema() : readSchema(values.schema);
  const documents = positionals.filter(namesDocuments);
  const metrics = positionals.filter((source) => !namesDocuments(source));
  const now = new Date();
  const operations = readOperations(documents, schema);
  const observed = await Promise.all([...metrics.map(readObserved), ...values.prometheus.map(readPrometheus)]);
  const findings = findingsOf(values.element ?? deprecatedIn(schema), { schema, operations, observed, now });

  output.log(values.json ? jsonOf(findings) : findings.map(textOf).join('\n\n'));
  if (values.evidence !== undefined) {
    const files = new Set(operations.map(({ file }) => file));
    writeRemovals(values.evidence, findings, [...files, ...observed.map(({ from }) => from)], now);
  }
  const isToGo = ({ day }: Finding) => values.element !== undefined || (day !== undefined && now >= endOfDay(day));
  return findings.some((finding) => finding.reasons.length > 0 && isToGo(finding)) ? 1 : 0;
}

function readSchema(file: string): GraphQLSchema {
  try {
    return buildSchema(readFileSync(file, 'utf8'), { assumeValidSDL: true });
  } catch (error) {
    throw new Error(`--schema ${file}: ${(error as Error).message}`);
  }
}

function textOf({ element, deprecated, countedSince, uses, reasons }: Finding): string {
  return [
    `${element} ${reasons.length === 0 ? 'may go' : 'may not go'}`,
    ...(deprecated === undefined ? [] : [`  Deprecated: ${deprecated}`]),
    ...(countedSince ? [`  Counted since ${timeOf(countedSince)}`] : []),
    ...uses.map(
      ({ client, document, count, lastUsed }) =>
        `  Used ${count} times by ${client}, trusted document ${document}, last at ${timeOf(lastUsed)}`,
    ),
    ...reasons.map((reason) => `  - ${reason}`),
  ].join('\n');
}

function jsonOf(findings: readonly Finding[]): string {
  return JSON.stringify({ elements: findings.map((each) => ({ ...each, mayGo: each.reasons.length === 0 })) }, null, 2);
}
