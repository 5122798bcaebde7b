import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EndpointName } from '../../packages/contract/endpoint.ts';
import { createLogger } from '../../packages/graphql-serve/watch/logger.ts';
import type { Pace } from '../../packages/sandbox/framework/options.ts';
import { costOf } from '../../packages/sandbox/framework/pace.ts';
import type { ServiceCosts } from '../../packages/upstream/service-costs.ts';
import { traceability } from '../../src/app.ts';
import { startGateway } from '../../src/compose.ts';
import { settingsFrom } from '../../src/config.ts';
import { serviceContract } from '../../src/service-contract.ts';
import type { PacedService } from './paced-service.ts';

/** The way to choose between GETs and pages: by learnt costs, always the one, or by the true costs. */
export type Strategy = 'gateway' | 'gets' | 'pages' | 'informed';

/** One run of an operation, with nothing cached: the means over the callers that sent it at the same time. */
export interface Run {
  ms: number;
  /** Milliseconds of the workers of the service. */
  work: number;
  /** Milliseconds of the processor for the gateway, and a little for the client. */
  cpu: number;
  /** Methods and paths of all callers, sorted. */
  calls: string[];
  answer: string;
}

export interface PlanningGateway {
  url: string;
  run(document: string, pace: Pace, together?: number): Promise<Run>;
  close(): Promise<boolean>;
}

let callers = 0;

setFlagsFromString('--expose-gc');
/** A major collection would drop compiled code too. */
const collectGarbage: (options: { type: 'minor' }) => void = runInNewContext('gc');

export async function startPlanningGateway(
  service: PacedService,
  strategy: Strategy,
  pace: Pace,
): Promise<PlanningGateway> {
  const environment = {
    PORT: '0',
    UPSTREAM_DIALECT: 'spec',
    LOG_LEVEL: 'warn',
    IDEMPOTENCY_FILE: ':memory:',
    GRAPHIQL: 'false',
  };
  // Pages alone can take long, which is a result too.
  const file = { limits: { operations: { timeoutMs: 120_000 } }, upstream: { timeouts: { readMs: 120_000 } } };
  const { config } = settingsFrom({ environment, file });
  const { url, close } = await startGateway(traceability, {
    config,
    upstreamUrl: service.url,
    logger: createLogger(config.log, process.stderr, 'authorization'),
    ...(strategy !== 'gateway' && { costs: costsOf(strategy, pace) }),
  });
  const ask = async (query: string) => {
    const startedAt = performance.now();
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ query }),
      // Another language is another caller, for whom nothing is cached.
      headers: {
        authorization: 'demo-coop',
        'content-type': 'application/json',
        'accept-language': `x-${callers++}`,
      },
    });
    const answer = await response.text();
    return { ms: performance.now() - startedAt, answer };
  };
  const run = async (query: string, paceNow: Pace, together = 1): Promise<Run> => {
    await service.start(paceNow);
    // The garbage of the last run counts for none.
    collectGarbage({ type: 'minor' });
    const before = process.threadCpuUsage();
    const asked = await Promise.all(Array.from({ length: together }, () => ask(query)));
    const { user, system } = process.threadCpuUsage(before);
    const { answer } = asked.find((each) => each.answer.includes('"errors"')) ?? (asked[0] as { answer: string });
    if (answer.includes('"errors"')) throw new Error(`An operation fails by ${strategy}: ${answer.slice(0, 1_000)}`);
    const calls = await service.calls();
    return {
      ms: asked.reduce((sum, { ms }) => sum + ms, 0) / together,
      work: calls.reduce((sum, { workMs = 0 }) => sum + workMs, 0) / together,
      cpu: (user + system) / 1_000 / together,
      calls: calls.map(({ method, path }) => `${method} ${path}`).sort(),
      answer,
    };
  };
  return { url, run, close };
}

const dear = { callMs: 1e6, rowMs: 0 };
const free = { callMs: 1, rowMs: 0 };

/** Fixed costs that leave the gateway no choice, or give it the figures of the service. */
function costsOf(strategy: Strategy, pace: Pace): ServiceCosts {
  const isGet = (name: EndpointName) => serviceContract.endpoint(name).does === 'get';
  const kindsWithGet = new Set(names.filter(isGet).map((name) => serviceContract.endpoint(name).kind));
  const truly = (name: EndpointName) => {
    const { path } = serviceContract.endpoint(name);
    const callMs = costOf(pace, 'GET', path);
    return { callMs, rowMs: costOf(pace, 'GET', path, 1) - callMs };
  };
  const of = (name: EndpointName) => {
    if (strategy === 'informed' || !kindsWithGet.has(serviceContract.endpoint(name).kind)) return truly(name);
    return isGet(name) === (strategy === 'gets') ? free : dear;
  };
  return { of, parallelism: pace.workers ?? 4, inFlight: 0 };
}

const names = serviceContract.endpointNames;
