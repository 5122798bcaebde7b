/** Prints the settings that are in force, and what gave each value: `npm run -s config`. */

import { print } from '@gateway/base';
import { readSettings, type Settings } from '../config.ts';
import { type Place, valueAt } from './places.ts';
import { places } from './variables.ts';

const { config, sources } = settings();

const rows = places.map((setting): [string, string, string] => {
  const { place } = setting;
  return [place, shown(setting, valueAt(config, place)), sourceOf(setting)];
});
const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
const lines = rows.map(
  ([place, value, source]) => `${place.padEnd(widths[0]!)}  ${value.padEnd(widths[1]!)}  ${source}\n`,
);
print(lines.join(''));

function settings(): Settings {
  try {
    return readSettings();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

function sourceOf({ place, derived }: Place): string {
  const given = [...sources].filter(([at]) => at === place || at.startsWith(`${place}.`)).map(([, source]) => source);
  if (given.length === 0) return derived ? 'derived' : 'default';
  return [...new Set(given)].join(', ');
}

function shown({ isSecret }: Place, value: unknown): string {
  if (value === undefined) return '-';
  return JSON.stringify(isSecret ? withoutPassword(String(value)) : value);
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password) url.password = '***';
  return url.href;
}
