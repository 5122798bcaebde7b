/** Writes docs/configuration.md, from the schema of the settings. */
import { writeFileSync } from 'node:fs';
import { groupBy } from '@gateway/base';
import { settingsFrom } from '../config.ts';
import { ordinaryMachine } from './bases.ts';
import { type Place, valueAt } from './places.ts';
import { places } from './variables.ts';

const pageFile = new URL('../../docs/configuration.md', import.meta.url);

const introduction = `# Configuration

This page lists every setting of the gateway: its default, what the default follows from, and when to change it.

\`\`\`sh
npm run -s config
\`\`\`
\`\`\`text
server.port  4000  default
\`\`\`

The command prints what is in force, and what gave each value. About forty settings are environment variables. All others stand
in an optional file, \`gateway.yaml\`. A setting of the first table may stand in the file too, and the variable wins.

The gateway does not start with a mistake. It names all mistakes at once, each with its place:

\`\`\`text
These settings cannot be used:
  UPSTREM_URL: there is no such setting; did you mean UPSTREAM_URL?
\`\`\`
`;

const variablesText = (notEmpty: readonly string[]) => `## Variables

A variable with a list has commas between its items. An empty variable counts as absent, and an empty \`FORWARD_HEADERS\` is no
header at all. These stop the start when they are empty: ${notEmpty.map((name) => `\`${name}\``).join(', ')}.
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

A name that ends in \`Bytes\` is in bytes, or a text such as \`64MiB\`. A name that ends in \`Ms\` is in milliseconds.

Many defaults follow from a few values, so that one change is enough. *The memory* is \`MEMORY_LIMIT\` divided by \`WORKERS\`.
*Each GiB* is one of it; the numbers shrink with less, and do not grow with more. The time *of an operation* is
\`limits.operations.timeoutMs\`, *of a call* \`upstream.timeouts.readMs\`, and *of an upload* \`limits.uploads.timeoutMs\`.
`;

export function configurationPage(): string {
  const { config } = settingsFrom({ machine: ordinaryMachine });
  const groups = groupBy(places, ({ place }) => place.slice(0, place.lastIndexOf('.')));
  const variables = [...groups.values()].flat().filter(({ variable }) => variable !== undefined);
  const defaultOf = ({ place, derived }: Place) =>
    [shown(valueAt(config, place), place), derived].filter(Boolean).join(', ');
  return [
    introduction,
    variablesText([...variables.flatMap(refusedEmpty), 'CONFIG']),
    table(
      ['variable', 'default', 'meaning', 'place in the file'],
      [
        ...variables.map((row) => [`\`${row.variable}\``, defaultOf(row), meaning(row), `\`${row.place}\``]),
        ['`CONFIG`', '`gateway.yaml`', 'The file with all other settings.', ''],
      ],
    ),
    fileText,
    ...[...groups].flatMap(([group, settings]) => {
      const inFile = settings.filter(({ variable }) => variable === undefined);
      const [first] = inFile;
      if (!first) return [];
      const cells = inFile.map((row) => [`\`${row.place.slice(group.length + 1)}\``, defaultOf(row), meaning(row)]);
      return [
        `### \`${group}\`\n${first.group && `\n${first.group}\n`}`,
        table(['setting', 'default', 'meaning'], cells),
      ];
    }),
  ].join('\n');
}

/** An empty list is a value, and a rule of its own. */
function refusedEmpty({ variable, readsEmpty, place }: Place): string[] {
  return readsEmpty && variable && place !== 'upstream.forwardHeaders' ? [variable] : [];
}

function meaning({ about, none, change }: Place): string {
  return [about, none && `Without it: ${none}.`, change].filter(Boolean).join(' ');
}

function shown(value: unknown, place: string): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'object' && !Array.isArray(value)) return 'none';
  return `\`${place.endsWith('Bytes') ? inUnits(Number(value)) : value}\``;
}

function inUnits(bytes: number): string {
  if (bytes >= 2 ** 30) return `${bytes / 2 ** 30}GiB`;
  return bytes >= 2 ** 20 ? `${bytes / 2 ** 20}MiB` : `${bytes / 2 ** 10}KiB`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${[line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n')}\n`;
}

if (import.meta.main) writeFileSync(pageFile, configurationPage());
