import { defer } from '@gateway/defer';
import { drift } from '@gateway/drift';
import { subgraphFields } from '@gateway/federation';
import { files } from '@gateway/files';
import { graphiql } from '@gateway/graphiql';
import { type Gateway, type OpenPart, type SharedMetrics, serve } from '@gateway/graphql-serve';
import { identify } from '@gateway/identify';
import { lineage } from '@gateway/lineage';
import { geoJsonFile } from '@gateway/map';
import { media } from '@gateway/media';
import { push, pushRoute } from '@gateway/push';
import { type Carrier, openShared } from '@gateway/replicas';
import { type App, openService, type SchemaPart, serverTime } from '@gateway/rest-graph';
import { pageSignIn, signInFields, signInRoute } from '@gateway/sign-in';
import { type TelemetrySettings, telemetry } from '@gateway/telemetry';
import { totals } from '@gateway/totals';
import { trustedDocuments } from '@gateway/trusted-documents';
import type { ServiceCosts } from '@gateway/upstream';
import { usage } from '@gateway/usage';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { logService } from './log-service.ts';
import { paceOf, type SandboxPace, sandboxControls } from './sandbox-pace.ts';

export interface GatewayOptions {
  config: Config;
  upstreamUrl: string;
  /** A name of the service that survives restarts, where its URL does not. */
  serviceName?: string;
  /** The key that GraphiQL opens with, which every visitor sees. */
  demoKey?: string;
  /** Absent where GraphiQL cannot change the pace of a sandbox. */
  sandboxPace?: SandboxPace | undefined;
  logger: Logger;
  /** Absent where operations are not logged. */
  accessLogger?: Logger | undefined;
  /** Fixed costs of the service, in place of learnt ones. */
  costs?: ServiceCosts;
  /** The clock of a service in this process, in milliseconds since 1970. */
  serviceClock?: () => number;
  /** Absent where nothing is exported by OpenTelemetry. */
  telemetry?: TelemetrySettings | undefined;
  /** In place of what is measured of the event loop, which other work may keep busy. */
  loop?: { isBusy(): boolean; utilization(): number };
  /** Plug in beside those of the settings. */
  parts?: readonly OpenPart[];
  /** Carries messages to the other workers. Absent in a gateway of one process. */
  carrier?: Carrier;
  /** Absent in a gateway of one process. */
  sharedMetrics?: SharedMetrics;
}

/** Fields beside those of the endpoints. src/codegen/description.ts lists their SDL. */
export const schemaParts: readonly SchemaPart[] = [push, lineage, totals, identify, serverTime];

/** The service that the settings name, without what several gateways share. */
export function serviceOptions({ upstream, limits, media, retries, circuitBreaker, cache }: Config, url: string) {
  const timeouts = { ...upstream.timeouts, queueMs: limits.operations.queueTimeoutMs };
  return {
    upstream: { ...upstream, retries, circuitBreaker, cache, timeouts, url, mediaUrl: media.url },
    limits: { ...limits.operations, fileTypes: limits.uploads.types },
    settings: upstream,
  };
}

/** Opens the service, and serves it with every part that there is. */
export async function startGateway(app: App, options: GatewayOptions): Promise<Gateway> {
  const { config, upstreamUrl, serviceName = upstreamUrl, demoKey, sandboxPace, logger, costs, serviceClock } = options;
  const { limits, media: mediaSettings, graphql, tracing } = config;
  const { upstream, ...others } = serviceOptions(config, upstreamUrl);

  const sharing = { settings: config, serviceName, carrier: options.carrier, trialHeaders: sandboxControls, logger };
  const shared = await openShared(sharing);
  const service = openService(app, {
    ...others,
    upstream: { ...upstream, costs, serviceClock, others: shared.others, utilization: options.loop?.utilization },
    records: shared.idempotency,
    parts: [
      ...schemaParts,
      ...(graphql.federation ? [subgraphFields(app)] : []),
      ...(graphql.signInMutations ? [signInFields] : []),
    ],
  });
  logService(service, logger);
  const pace = sandboxPace && paceOf(sandboxPace, service);

  return serve(service, {
    settings: config,
    shared,
    parts: [
      pushRoute(service),
      trustedDocuments(graphql.trustedDocuments),
      defer(service),
      files(service, limits.operations, [geoJsonFile(app.contract)]),
      mediaSettings.proxy && media(service, upstreamUrl, { ...mediaSettings, timeouts: upstream.timeouts }),
      signInRoute(service, upstreamUrl, { timeouts: upstream.timeouts }),
      graphql.graphiql && graphiql({ demoKey, pace, signIn: () => pageSignIn(service) }),
      usage(graphql.countedElements),
      drift(service),
      telemetry(options.telemetry, { upstreamUrl, slowMs: tracing.slowMs }),
      ...(options.parts ?? []),
    ],
    logger,
    accessLogger: options.accessLogger,
    sharedMetrics: options.sharedMetrics,
    loop: options.loop,
  });
}
