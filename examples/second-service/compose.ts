import { type Changes, withChanges } from '@gateway/base';
import { drift } from '@gateway/drift';
import { files } from '@gateway/files';
import { graphiql } from '@gateway/graphiql';
import { createLogger, defaultSettings, type Gateway, serve } from '@gateway/graphql-serve';
import { push } from '@gateway/push';
import { defaultShareSettings, openShared } from '@gateway/replicas';
import { defaultOptions, openService } from '@gateway/rest-graph';
import { totals } from '@gateway/totals';
import type { ServiceCosts } from '@gateway/upstream';
import { library } from './app.ts';

const defaults = { ...defaultSettings, ...defaultShareSettings };

export interface LibraryOptions {
  /** Base URL of the library. */
  url: string;
  logLevel?: 'info' | 'silent';
  /** In place of the defaults of the packages. */
  settings?: Changes<typeof defaults>;
  options?: Changes<typeof defaultOptions>;
  /** Fixed costs of calls, in place of learnt ones. */
  costs?: ServiceCosts;
}

/** Opens the library, and serves it with a few parts. */
export async function startGateway({ url, logLevel = 'info', costs, ...changes }: LibraryOptions): Promise<Gateway> {
  const settings = withChanges(defaults, changes.settings);
  const { upstream, limits } = withChanges(defaultOptions, changes.options);
  const logger = createLogger({ level: logLevel }, process.stdout, library.contract.keyHeader);

  const shared = await openShared({ settings, serviceName: url, logger });
  const service = openService(library, {
    upstream: { ...upstream, url, costs, others: shared.others },
    limits,
    records: shared.idempotency,
    parts: [push, totals],
  });
  return serve(service, {
    settings,
    shared,
    parts: [files(service, { ...limits, files: 10 }), drift(service), graphiql({ demoKey: 'demo-desk' })],
    logger,
  });
}
