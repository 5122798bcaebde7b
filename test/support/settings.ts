import { writeFileSync } from 'node:fs';
import { put } from '../../src/config/places.ts';
import { type Config, settingsFrom } from '../../src/config.ts';

/** Settings by name: environment variables, and places of gateway.yaml such as `limits.documents.depth`. */
export type Settings = Record<string, string>;

/** Reading settings takes 20 ms, and many tests have equal ones. */
const known = new Map<string, Config>();

/** The settings that these make, beside `file`. */
export function configOf(settings: Settings, file: object = {}): Config {
  const name = JSON.stringify([settings, file]);
  const config = known.get(name) ?? settingsFrom(split(settings, file)).config;
  known.set(name, config);
  return structuredClone(config);
}

/** Writes the places to `path`, and gives the environment of a process that reads them there. */
export function writeSettings(path: string, settings: Settings): Record<string, string> {
  const { environment, file } = split(settings);
  if (Object.keys(file).length === 0) return environment;
  writeFileSync(path, JSON.stringify(file));
  return { ...environment, CONFIG: path };
}

function split(settings: Settings, more: object = {}): { environment: Record<string, string>; file: object } {
  const environment: Record<string, string> = {};
  const file = structuredClone(more);
  for (const [name, value] of Object.entries(settings)) {
    if (name.includes('.')) put(file, name, value);
    else environment[name] = value;
  }
  return { environment, file };
}
