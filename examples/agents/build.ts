/**
 * Writes manifest.json, the documents that agents may run, and tools.json, which server.js offers as tools. Reads the
 * report of `npm run -s bill -- --format json <operations>`; the first argument is the folder to write to.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { buildSchema, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { commentAbove, inputSchemaOf } from './input-schema.ts';

/** One operation in the report of `npm run bill`. */
interface Reported {
  name: string;
  file: string;
  usual: { calls: number; rows: number; workMs: number };
  /** Codes of errors in the trial. */
  errors: string[];
}

const here = import.meta.dirname;
const folder = process.argv[2] ?? here;
const schema = buildSchema(readFileSync(`${here}/../../schema/generated/schema.graphql`, 'utf8'));

try {
  const report = readReport(await text(process.stdin));
  refuseEqualNames(report);
  const documents = report.map((reported) => ({ reported, ...readDocument(reported) }));
  write('manifest.json', {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: documents.map(({ reported, body, id }) => ({ id, name: reported.name, type: 'query', body })),
  });
  write(
    'tools.json',
    documents.map(({ reported, id, document, operation }) => ({
      name: reported.name,
      description: `${commentAbove(operation)}\n${costOf(reported)}`,
      documentId: id,
      inputSchema: inputSchemaOf(schema, document, operation),
    })),
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function readReport(json: string): Reported[] {
  if (json === '') throw new Error('npm run bill wrote no report. Its message is above.');
  return JSON.parse(json).operations;
}

function refuseEqualNames(reports: Reported[]) {
  for (const { name, file } of reports) {
    const other = reports.find((each) => each.name === name && each.file !== file);
    if (other) throw new Error(`${file}: ${other.file} has a tool of the same name, ${name}.`);
  }
}

function readDocument({ name, file, errors }: Reported) {
  const body = readFileSync(file, 'utf8');
  const document = parse(body);
  const operations = document.definitions.filter((node): node is OperationDefinitionNode => {
    return node.kind === Kind.OPERATION_DEFINITION;
  });
  const [operation] = operations;
  const [invalid] = validate(schema, document);
  if (invalid) throw new Error(`${file}: ${invalid.message}`);
  if (!operation?.name || operations.length > 1) {
    throw new Error(`${file}: A tool is one operation with a name, in a file of its own.`);
  }
  if (operation.operation !== 'query')
    throw new Error(`${file}: ${name} is a ${operation.operation}; a tool is a query.`);
  if (!commentAbove(operation)) throw new Error(`${file}: ${name} needs a comment above it, which describes the tool.`);
  if (errors.length > 0) throw new Error(`${file}: ${name} has no cost: its trial ended with ${errors.join(', ')}.`);
  return { body, document, operation, id: createHash('sha256').update(body).digest('hex') };
}

function costOf({ usual: { calls, rows, workMs } }: Reported): string {
  return `Cost: calls ${calls}, rows ${rows}, service ms ${workMs}`;
}

/** Renames the whole file into its place, so that a gateway that watches the manifest never reads half of it. */
function write(file: string, content: object) {
  writeFileSync(`${folder}/.${file}`, `${JSON.stringify(content, null, 2)}\n`);
  renameSync(`${folder}/.${file}`, `${folder}/${file}`);
}
