/** Writes the tables of docs/configuration.md, from the schema of the settings. */
import { readFileSync, writeFileSync } from 'node:fs';
import { groupBy } from '@gateway/base';
import { withTables } from '@gateway/contract/codegen';
import { settingsFrom } from '../config.ts';
import { ordinaryMachine } from './bases.ts';
import { type Place, valueAt } from './places.ts';
import { places } from './variables.ts';

const pageFile = new URL('../../docs/configuration.md', import.meta.url);

/** The text of docs/configuration.md with its tables written anew, between the comments that name them. */
export function configurationPage(page: string): string {
  const { config } = settingsFrom({ machine: ordinaryMachine });
  const groups = groupBy(places, ({ place }) => place.slice(0, place.lastIndexOf('.')));
  const variables = [...groups.values()].flat().filter(({ variable }) => variable !== undefined);
  const defaultOf = ({ place, derived }: Place) =>
    [shown(valueAt(config, place), place), derived].filter(Boolean).join(', ');
  return withTables(page, {
    'not empty': [[...variables.flatMap(refusedEmpty), 'CONFIG'].map((name) => `\`${name}\``).join(', ')],
    variables: table(
      ['variable', 'default', 'meaning', 'place in the file'],
      [
        ...variables.map((row) => [`\`${row.variable}\``, defaultOf(row), meaning(row), `\`${row.place}\``]),
        ['`CONFIG`', '`gateway.yaml`', 'The file with all other settings.', ''],
      ],
    ),
    settings: [...groups].flatMap(([group, settings]) => {
      const inFile = settings.filter(({ variable }) => variable === undefined);
      const [first] = inFile;
      if (!first) return [];
      const cells = inFile.map((row) => [`\`${row.place.slice(group.length + 1)}\``, defaultOf(row), meaning(row)]);
      const about = first.group ? [first.group, ''] : [];
      return ['', `### \`${group}\``, '', ...about, ...table(['setting', 'default', 'meaning'], cells)];
    }),
  });
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

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)];
}

if (import.meta.main) writeFileSync(pageFile, configurationPage(readFileSync(pageFile, 'utf8')));
