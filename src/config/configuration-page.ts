/** Writes docs/configuration.md, from the schema of the settings. */
import { writeFileSync } from 'node:fs';
import { settingsFrom } from '../config.ts';
import { serviceContract } from '../service-contract.ts';
import { basesOf, ordinaryMachine } from './bases.ts';
import { isGroup, valueAt } from './places.ts';
import { settingsSchema } from './schema.ts';
import { infos, type SettingInfo } from './setting.ts';

const pageFile = new URL('../../docs/configuration.md', import.meta.url);

const introduction = `# Configuration

This page lists every setting of the gateway: its default, what the default follows from, and when to change it.

The gateway starts without any setting, over its sandbox. Under \`NODE_ENV=production\` it needs \`UPSTREAM_URL\`, or
\`SANDBOX=true\`. About twenty settings are environment variables. All others stand in an optional file,
\`gateway.yaml\`; \`CONFIG\` names another one. A setting of the first table may stand in the file too, and the variable wins.
\`npm run -s config\` prints what is in force, and what gave each value.

The gateway does not start with a mistake. It names all mistakes at once, each with its place. It refuses names that it
does not know, and variables that resemble one of its own:

\`\`\`text
These settings cannot be used:
  PORT: must be a number
  gateway.yaml: limits.documents.dept: there is no such setting; did you mean limits.documents.depth?
  UPSTREM_URL: there is no such setting; did you mean UPSTREAM_URL?
\`\`\`

The variables that Kubernetes sets for a Service, such as \`SANDBOX_PORT=tcp://10.0.0.1:80\`, are no settings.
`;

const variablesText = (notEmpty: readonly string[]) => `## Variables

An empty variable counts as absent, and an empty \`FORWARD_HEADERS\` is no header at all. Others stop the start when they
are empty, because their absence means another service or store, or allows clients more. These are
${notEmpty.map((name) => `\`${name}\``).join(', ')}.

A variable with a list has commas between its items.
`;

export const exampleFile = `server:
  memoryLimitBytes: 2GiB # Caches may be larger than in a container with less.
upstream:
  filters: # The service names these parameters differently.
    listFarmers: { first_name: first_name__icontains }
    listProductTransactions: { quantity_available: available }
  timeouts: { readMs: 30000 } # Calls that take long do so for good reasons.
cache:
  lists: { ttlMs: 5000 } # A new product shows after five seconds at most.
limits:
  documents: { depth: 6 }
  uploads: { fileBytes: 50MiB, timeoutMs: 600000 }
shutdown: { delayMs: 5000 } # A proxy takes a while to see that a gateway is not ready.
`;

const fileText = `## The file

\`\`\`yaml
${exampleFile}\`\`\`

A name that ends in \`Bytes\` is in bytes, or a text such as \`64MiB\`. A name that ends in \`Ms\` is in milliseconds, an hour at
most. Uploads, the shutdown and cached lists may take a day.

Many defaults follow from a few values, so that one change is enough:

- the memory of a worker: \`MEMORY_LIMIT\` divided by \`WORKERS\`. Bounds of memory are shares of it. The numbers below hold
  for 1 GiB and a core. Those of connections and operations shrink with less of either, and do not grow with more.
- the deadline of an operation: \`limits.operations.timeoutMs\`.
- the deadline of a call: \`upstream.timeouts.readMs\`.
- the deadline of an upload: \`limits.uploads.timeoutMs\`.
`;

interface Row extends SettingInfo {
  name: string;
  place: string;
}

interface Section {
  place: string;
  about: string;
  rows: Row[];
}

export function configurationPage(): string {
  const { config } = settingsFrom({ machine: ordinaryMachine });
  const sections = sectionsOf(settingsSchema(basesOf({}, ordinaryMachine), serviceContract), []);
  const rows = sections.flatMap((section) => section.rows);
  const variables = rows.filter(({ variable }) => variable !== undefined);
  const defaultOf = ({ place }: Row) => shown(valueAt(config, place), place);
  return [
    introduction,
    variablesText([...variables.flatMap(refusedEmpty), 'CONFIG']),
    table(
      ['variable', 'default', 'meaning', 'place in the file'],
      [
        ...variables.map((row) => [`\`${row.variable}\``, defaultOf(row), meaning(row), `\`${row.place}\``]),
        [
          '`CONFIG`',
          '`gateway.yaml`',
          'The file with all other settings. Without the variable, it may be missing.',
          '',
        ],
      ],
    ),
    fileText,
    ...sections.flatMap(({ place, about, rows }) => {
      const inFile = rows.filter(({ variable }) => variable === undefined);
      if (inFile.length === 0) return [];
      const cells = inFile.map((row) => [`\`${row.name}\``, defaultOf(row), meaning(row)]);
      return [`### \`${place}\`\n\n${about}\n`, table(['setting', 'default', 'meaning'], cells)];
    }),
  ].join('\n');
}

/** An empty list is a value, and a rule of its own. */
function refusedEmpty({ variable, readsEmpty, place }: Row): string[] {
  return readsEmpty && variable && place !== 'upstream.forwardHeaders' ? [variable] : [];
}

/** The groups of a schema, each with the settings that stand in it itself. */
function sectionsOf(schema: object, above: readonly string[]): Section[] {
  const info = infos.get(schema as never);
  if (!info || !isGroup(info)) return [];
  const section: Section = { place: above.join('.'), about: info.about, rows: [] };
  const inner: Section[] = [];
  for (const [name, type] of Object.entries(info.shape)) {
    const found = infos.get(type);
    const place = [...above, name];
    if (found && !isGroup(found)) section.rows.push({ ...found, name, place: place.join('.') });
    else inner.push(...sectionsOf(type, place));
  }
  return [section, ...inner];
}

function meaning({ about, none, derived, change }: SettingInfo): string {
  const sentences = [about, none && `Without it: ${none}.`, derived && `Default: ${lowerFirst(derived)}`, change];
  return sentences.filter(Boolean).join(' ');
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function shown(value: unknown, place: string): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'object' && !Array.isArray(value)) return 'none';
  const text = `\`${value}\``;
  return place.endsWith('Bytes') ? `${text} (${inUnits(Number(value))})` : text;
}

function inUnits(bytes: number): string {
  if (bytes >= 2 ** 30) return `${bytes / 2 ** 30} GiB`;
  return bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : `${bytes / 2 ** 10} KiB`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${[line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n')}\n`;
}

if (import.meta.main) writeFileSync(pageFile, configurationPage());
