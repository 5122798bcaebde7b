import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { z } from 'zod';
import { basesOf, type Machine, thisMachine } from './config/bases.ts';
import { put, valueAt, withoutNulls } from './config/places.ts';
import { type Config, settingsSchema } from './config/schema.ts';
import { places, unknownKey, unknownVariables, variables } from './config/variables.ts';

export type { Config } from './config/schema.ts';

export interface Settings {
  config: Config;
  /** The variable or the file that gave a value, by place: `limits.documents.depth` → `gateway.yaml`. */
  sources: ReadonlyMap<string, string>;
  /** A sentence for each variable that works for one more release. */
  oldVariables: string[];
}

export interface Sources {
  environment?: NodeJS.ProcessEnv;
  /** The parsed file. */
  file?: unknown;
  fileName?: string;
  machine?: Machine;
}

const defaultFile = 'gateway.yaml';

/**
 * The settings of this process, from its environment variables and from the file that CONFIG names.
 * @throws Error that lists every mistake with its place.
 */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const fileName = environment.CONFIG || (existsSync(defaultFile) ? defaultFile : undefined);
  if (fileName === undefined) return settingsFrom({ environment });
  return settingsFrom({ environment, fileName, file: readFile(fileName) });
}

function readFile(name: string): unknown {
  try {
    return parse(readFileSync(name, 'utf8'));
  } catch (error) {
    throw new Error(`CONFIG: ${name} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * A variable wins over the file. An empty variable counts as absent, except for FORWARD_HEADERS: no header at all.
 * @throws Error that lists every mistake with its place.
 */
export function settingsFrom({ environment = {}, file, fileName = defaultFile, machine }: Sources): Settings {
  const given = withoutNulls(file ?? {});
  const sources = new Map<string, string>();
  for (const { place } of places) if (valueAt(given, place) !== undefined) sources.set(place, fileName);
  const oldVariables: string[] = [];
  for (const [name, { place, isOld }] of variables) {
    const text = environment[name];
    if (text === undefined || (text === '' && name !== 'FORWARD_HEADERS')) continue;
    put(given, place, text);
    sources.set(place, name);
    if (isOld) oldVariables.push(`${name} is ${place} in ${defaultFile}`);
  }

  const result = settingsSchema(basesOf(given, machine ?? thisMachine())).safeParse(given);
  const mistakes = result.success ? contradictions(result.data) : result.error.issues.flatMap(mistakesOf);
  const lines = mistakes.map(({ path, message }) => `${nameOf(path, sources, fileName)}: ${message}`);
  lines.push(...unknownVariables(environment));
  if (!result.success || lines.length > 0) throw new Error(['These settings cannot be used:', ...lines].join('\n  '));
  return { config: result.data, sources, oldVariables };
}

/** The settings that environment variables alone make. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  return settingsFrom({ environment }).config;
}

interface Mistake {
  path: readonly PropertyKey[];
  message: string;
}

function mistakesOf(issue: z.core.$ZodIssue): Mistake[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: unknownKey(key, issue.path) }));
}

/** Values that are right by themselves, and wrong together. */
function contradictions({ server, graphql, limits, idempotency }: Config): Mistake[] {
  const mistakes: Mistake[] = [];
  const add = (place: string, message: string) => mistakes.push({ path: place.split('.'), message });
  if (limits.clients.headersTimeoutMs >= limits.uploads.timeoutMs) {
    add('limits.clients.headersTimeoutMs', 'must be less than limits.uploads.timeoutMs, which includes the body');
  }
  if (server.workers > 1 && idempotency.file === ':memory:' && idempotency.redisUrl === undefined) {
    add('idempotency.file', 'must be a file where there are several workers: they do not share their memory');
  }
  if (graphql.trustedDocuments.mode !== 'off' && graphql.trustedDocuments.files.length === 0) {
    add('graphql.trustedDocuments.files', 'must name the manifests, because TRUSTED_DOCUMENTS_MODE is not off');
  }
  return mistakes;
}

/** The variable, or the place in the file, that a person has to correct. */
function nameOf(path: readonly PropertyKey[], sources: ReadonlyMap<string, string>, fileName: string): string {
  const place = path.join('.');
  const setting = places.find((known) => place === known.place || place.startsWith(`${known.place}.`));
  const source = sources.get(place) ?? (setting && (sources.get(setting.place) ?? setting.variable));
  return source === undefined || source === fileName ? [fileName, ...(place ? [place] : [])].join(': ') : source;
}
