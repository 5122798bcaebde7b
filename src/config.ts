import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { z } from 'zod';
import { basesOf, leastWorkerBytes, type Machine, thisMachine } from './config/bases.ts';
import { put, valueAt, withoutNulls } from './config/places.ts';
import { type Config, settingsSchema } from './config/schema.ts';
import { telemetryFrom } from './config/telemetry.ts';
import { places, unknownKey, unknownVariables, variables, withoutServices } from './config/variables.ts';

export type { Config } from './config/schema.ts';

export interface Settings {
  config: Config;
  /** The variable or the file that gave a value, by place: `limits.documents.depth` → `gateway.yaml`. */
  sources: ReadonlyMap<string, string>;
  isProduction: boolean;
}

export interface Sources {
  environment?: NodeJS.ProcessEnv;
  /** The parsed file. */
  file?: unknown;
  fileName?: string;
  machine?: Machine;
  /** The settings have to say which service the gateway runs over. */
  needsService?: boolean;
}

const defaultFile = 'gateway.yaml';

/**
 * The settings of this process, from its environment variables and from the file that CONFIG names. The sandbox alone needs
 * no service.
 * @throws Error that lists every mistake with its place.
 */
export function readSettings(
  environment: NodeJS.ProcessEnv = process.env,
  { needsService = true }: Pick<Sources, 'needsService'> = {},
): Settings {
  if (environment.CONFIG === '')
    throw new Error('CONFIG: must not be empty; name the file with the settings, or unset it');
  const fileName = environment.CONFIG ?? (existsSync(defaultFile) ? defaultFile : undefined);
  if (fileName === undefined) return settingsFrom({ environment, needsService });
  return settingsFrom({ environment, fileName, file: readFile(fileName), needsService });
}

/** The exports that the `OTEL_` variables of this process ask for. */
export const readTelemetry = (environment: NodeJS.ProcessEnv = process.env) => telemetryFrom(environment);

function readFile(name: string): unknown {
  try {
    return parse(readFileSync(name, 'utf8'));
  } catch (error) {
    throw new Error(`CONFIG: ${name} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * A variable wins over the file. An empty variable counts as absent, unless its setting reads it.
 * @throws Error that lists every mistake with its place.
 */
export function settingsFrom({
  environment: allVariables = {},
  file,
  fileName = defaultFile,
  machine,
  needsService = false,
}: Sources): Settings {
  const environment = withoutServices(allVariables);
  const given = withoutNulls(file ?? {});
  const sources = new Map<string, string>();
  for (const { place } of places) if (valueAt(given, place) !== undefined) sources.set(place, fileName);
  for (const [name, { place, readsEmpty }] of variables) {
    const text = environment[name];
    if (text === undefined || (text === '' && !readsEmpty)) continue;
    put(given, place, text);
    sources.set(place, name);
  }

  const result = settingsSchema(basesOf(given, machine ?? thisMachine())).safeParse(given);
  const mistakes = result.success ? contradictions(result.data) : result.error.issues.flatMap(mistakesOf);
  if (result.success && needsService) mistakes.push(...serviceMistakes(result.data, sources, environment.NODE_ENV));
  const lines = mistakes.map(({ path, message }) => {
    const name = nameOf(path, sources, fileName);
    return `${name}: ${environment[name] === '' ? 'must not be empty; give it a value, or unset it' : message}`;
  });
  lines.push(...unknownVariables(environment, fileName));
  if (!result.success || lines.length > 0) throw new Error(['These settings cannot be used:', ...lines].join('\n  '));
  return { config: result.data, sources, isProduction: environment.NODE_ENV === 'production' };
}

/** The settings that environment variables alone make. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  return settingsFrom({ environment }).config;
}

interface Mistake {
  path: readonly PropertyKey[];
  message: string;
}

/** zod's own sentences become like those of the settings. */
function mistakesOf(issue: z.core.$ZodIssue): Mistake[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(key, path) }));
  const ours = message
    .replace(/^Invalid option: expected (one of .*)/, (_, values: string) => `must be ${values.replaceAll('|', ', ')}`)
    .replace(/^Invalid input: expected (\w+),.*/, 'must be of the type $1');
  return [{ path, message: ours }];
}

/** Values that are right by themselves, and wrong together. */
function contradictions({ server, graphql, upstream, media, limits, idempotency, redis }: Config): Mistake[] {
  const mistakes: Mistake[] = [];
  const add = (place: string, message: string) => mistakes.push({ path: place.split('.'), message });
  if (limits.clients.headersTimeoutMs >= limits.uploads.timeoutMs) {
    add('limits.clients.headersTimeoutMs', 'must be less than limits.uploads.timeoutMs, which includes the body');
  }
  if (server.memoryLimitBytes < server.workers * leastWorkerBytes) {
    const least = `${leastWorkerBytes / 2 ** 20} MiB for each worker`;
    add('server.memoryLimitBytes', `must be at least ${least}: with less, ordinary operations and uploads are refused`);
  }
  if (server.adminPort === server.port && server.port !== 0) add('server.adminPort', 'must be another port than PORT');
  if (server.workers > 1 && idempotency.file === ':memory:' && redis.url === undefined) {
    add('idempotency.file', 'must be a file where there are several workers: they do not share their memory');
  }
  if (graphql.trustedDocuments.mode !== 'off' && graphql.trustedDocuments.files.length === 0) {
    add('graphql.trustedDocuments.files', 'must name the manifests, because TRUSTED_DOCUMENTS_MODE is not off');
  }
  if (media.proxy && media.url === undefined) {
    add('media.url', 'is missing, and MEDIA_PROXY is true; set MEDIA_URL to the address of this gateway for clients');
  }
  if (media.proxy && media.url && upstream.url && new URL(media.url).origin === new URL(upstream.url).origin) {
    add('media.url', 'must be the address of this gateway, not that of UPSTREAM_URL, because MEDIA_PROXY is true');
  }
  return mistakes;
}

/** The keys of the sandbox are public. In production the gateway serves it only where a setting says so. */
function serviceMistakes(
  { upstream, sandbox }: Config,
  sources: ReadonlyMap<string, string>,
  NODE_ENV: string | undefined,
): Mistake[] {
  if (upstream.url !== undefined) {
    const message = 'must not be true beside UPSTREAM_URL; unset one of the two';
    return sandbox.embedded ? [{ path: ['sandbox', 'embedded'], message }] : [];
  }
  if (sandbox.embedded) return [];
  const advice = 'set UPSTREAM_URL to the URL of the service, or SANDBOX=true for the sandbox';
  const reason =
    sandbox.embedded === false ? 'SANDBOX is false' : NODE_ENV === 'production' && 'NODE_ENV is production';
  if (reason) return [{ path: ['upstream', 'url'], message: `is missing, and ${reason}; ${advice}` }];
  const withoutService = [...sources].filter(([, name]) => name.startsWith('UPSTREAM_'));
  return withoutService.map(([place]) => ({ path: place.split('.'), message: `needs a service; ${advice}` }));
}

/** The variable, or the place in the file, that a person has to correct. */
function nameOf(path: readonly PropertyKey[], sources: ReadonlyMap<string, string>, fileName: string): string {
  const place = path.join('.');
  const setting = places.find((known) => place === known.place || place.startsWith(`${known.place}.`));
  const source = sources.get(place) ?? (setting && (sources.get(setting.place) ?? setting.variable));
  return source === undefined || source === fileName ? [fileName, ...(place ? [place] : [])].join(': ') : source;
}
