import { parseArgs } from 'node:util';
import { print } from '@gateway/base';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';

export interface Flag {
  about: string;
  /** Shown by `--help`; the others by `--help all`. */
  isMostUsed: boolean;
}

export interface CommandLine {
  /** Lines about the commands. */
  usage: string;
  version: string;
  /** By their names. Each takes a value. */
  flags: ReadonlyMap<string, Flag>;
  /** By their names. The first runs where none is named. */
  commands: Readonly<Record<string, (values: Readonly<Record<string, string>>) => Promise<unknown>>>;
}

/**
 * Runs the command that the arguments name.
 * @throws Error for an unknown command, for an unknown flag with the nearest name, and for a flag without its value.
 */
export async function runCommand(
  args: readonly string[],
  { usage, version, flags, commands }: CommandLine,
): Promise<void> {
  const names = Object.keys(commands);
  const [first = ''] = args;
  const isNamed = first !== '' && !first.startsWith('-');
  const command = commands[isNamed ? first : (names[0] as string)];
  const given = isNamed ? args.slice(1) : args;
  if (given[0] === '--version') return print(`${version}\n`);
  if (given[0] === '--help' || first === 'help') return print(`${usage}\n${flagLines(flags, given[1] === 'all')}`);
  if (!command) throw new Error(`There is no command ${first}: ${names.join(', ')}.`);
  await command(valuesOf(given, flags));
}

function valuesOf(args: readonly string[], flags: CommandLine['flags']): Record<string, string> {
  for (const arg of args) {
    const [, name] = /^--([^=]+)/.exec(arg) ?? [];
    if (name === undefined || flags.has(name)) continue;
    const [nearest] = suggestionList(name, [...flags.keys()]);
    throw new Error(`There is no flag --${name}${nearest ? `; did you mean --${nearest}?` : '.'} See --help all.`);
  }
  const options = Object.fromEntries([...flags.keys()].map((flag) => [flag, { type: 'string' as const }]));
  return parseArgs({ args: [...args], options, strict: true }).values as Record<string, string>;
}

function flagLines(flags: CommandLine['flags'], isAll: boolean): string {
  const shown = [...flags].filter(([, { isMostUsed }]) => isAll || isMostUsed);
  const width = Math.max(...shown.map(([flag]) => flag.length));
  const lines = shown.map(([flag, { about }]) => `  --${flag.padEnd(width)}  ${about.replaceAll('`', '')}\n`);
  return `${lines.join('')}${isAll ? '' : '\n  --help all shows every flag. Each is also an environment variable, such as UPSTREAM_URL.\n'}`;
}
