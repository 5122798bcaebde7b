import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach } from 'vitest';
import { clientOf } from '../../../test/support/client.ts';
import { flatCosts } from '../../../test/support/cost-profiles.ts';
import { withChanges } from '../../base/with-changes.ts';
import type { ContractPart } from '../../contract/codegen/contract-part.ts';
import { generatedOf } from '../../contract/codegen/generated-files.ts';
import { parseContract } from '../../contract/codegen/read-contract.ts';
import { Contract } from '../../contract/contract.ts';
import type { OpenPart } from '../../graphql-serve/index.ts';
import { serve } from '../../graphql-serve/serve.ts';
import { defaultSettings } from '../../graphql-serve/settings.ts';
import { createLogger } from '../../graphql-serve/watch/logger.ts';
import { defaultShareSettings, openShared } from '../../replicas/share/shared.ts';
import type { ServiceCosts } from '../../upstream/service-costs.ts';
import type { SchemaPart } from '../graph/schema.ts';
import type { App } from '../request/app.ts';
import { defaultOptions, openService, type RestService } from '../service.ts';
import { startService } from './other-service.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const gateway of opened.splice(0)) await gateway.close();
});

/**
 * The files that follow from an OpenAPI document of YAML. The SDL is what the generator asks for, and `sdl`.
 * @throws ContractError for the mistakes that the document has itself.
 */
export function described(
  document: string,
  sdl = '',
  parts: readonly ContractPart[] = [],
): { contract: string; typeDefs: string } {
  const read = parseContract(document, parts);
  const folder = mkdtempSync(join(tmpdir(), 'described-'));
  try {
    const place = { name: 'openapi.yaml', sdl: pathToFileURL(`${folder}/`), parts };
    if (sdl !== '') writeFileSync(join(folder, 'given.graphql'), sdl);
    let asked = '';
    for (;;) {
      try {
        const { files } = generatedOf(read, place);
        return { contract: files['contract.ts'], typeDefs: files['schema.graphql'] };
      } catch (error) {
        const lines = (error as Error).message.split('\n').slice(1);
        const missing = lines
          .filter((line) => !/^schema\/\*\.graphql has no (type|input|interface|enum) /.test(line))
          .join('\n');
        if (missing.length === lines.join('\n').length) throw error;
        asked += missing;
        writeFileSync(join(folder, 'asked.graphql'), asked);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Parts of a gateway: the keys of the document that they read, their fields, and what else they serve. */
interface Parts {
  keys?: readonly ContractPart[];
  fields?(app: App): readonly SchemaPart[];
  routes?(service: RestService): readonly OpenPart[];
}

/** A gateway of the packages alone, over a service of JSON that a document describes. */
export async function startDescribed(
  {
    document,
    sdl,
    fields = [],
    parts = {},
    costs = flatCosts,
  }: { document: string; sdl?: string; parts?: Parts; costs?: ServiceCosts } & Pick<App, 'fields'>,
  answer: Parameters<typeof startService>[1],
) {
  const { contract, typeDefs } = described(document, sdl, parts.keys);
  const url = `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(contract))}`;
  const app: App = { contract: new Contract(await import(/* @vite-ignore */ url)), typeDefs, fields };
  const rest = await startService('http://service/', answer);
  const defaults = { ...defaultSettings, ...defaultShareSettings };
  const settings = withChanges(defaults, { server: { port: 0 }, idempotency: { timeoutMs: 30_000 } });
  const logger = createLogger({ level: 'silent' }, process.stdout, app.contract.keyHeader);
  const shared = await openShared({ settings, serviceName: rest.url, logger });
  const { upstream, limits } = defaultOptions;
  const service = openService(app, {
    upstream: { ...upstream, url: rest.url, costs },
    limits,
    records: shared.idempotency,
    parts: parts.fields?.(app) ?? [],
  });
  const gateway = await serve(service, { settings, shared, parts: parts.routes?.(service) ?? [], logger });
  opened.push(gateway);
  const client = clientOf(gateway.url);
  return { query, rest, contract: app.contract, typeDefs, url: gateway.url };

  /** Sends an operation, and reads its answer and the calls that it took. */
  async function query(operation: string, variables = {}, key = 'demo', headers = {}) {
    rest.requests.length = 0;
    const { body } = await client.ask({ query: operation, variables }, { key, headers });
    const calls = rest.requests.map(({ method, path }) => `${method} ${path}`);
    return { data: body.data, errors: body.errors ?? [], calls, upstream: body.extensions?.upstream };
  }
}
