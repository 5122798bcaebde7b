import { constants } from 'node:os';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { startWorkers } from './cluster/primary.ts';
import { connectToPrimary, type Primary } from './cluster/worker.ts';
import { type Config, readSettings, type Settings } from './config.ts';
import { buildIfMissing } from './graphiql/serve.ts';
import { createAccessLogger, createLogger } from './observability/logger.ts';
import { watchProcessErrors } from './observability/process-errors.ts';
import type { Sandbox } from './sandbox/server.ts';
import { startGateway } from './server/gateway.ts';

// What a request holds while it waits outlives collections, from which V8 concludes that objects made at those places of
// the code live long, and makes them in the old space from then on. There they keep all that they refer to, whole answers
// of the service, until the next full collection: a fifth more CPU and memory, for good.
setFlagsFromString('--no-allocation-site-pretenuring');

const demoKey = 'demo-coop';
/** Request headers that make the sandbox slow or fail; passed on, they let a page show its loading and error states. */
const sandboxControls = ['x-sandbox-delay', 'x-sandbox-fail'];

const primary = connectToPrimary();
try {
  if (primary) await runWorker(primary);
  else if (process.argv[2] === 'sandbox') await runSandbox(readSettings());
  else await runGateway(readSettings());
} catch (error) {
  // What every worker fails with is printed once, by the primary process.
  if (primary) await primary.reportFailure(reasonOf(error));
  else console.error(reasonOf(error));
  // What has been opened so far would keep the process running.
  process.exit(1);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken; choose another one with PORT, or SANDBOX_PORT for the sandbox.`;
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') return `HOST is no address of this machine: ${error.message}.`;
  return error.message;
}

async function runGateway({ config, oldVariables }: Settings): Promise<void> {
  const logger = createLogger(config.log);
  for (const sentence of oldVariables) logger.warn(sentence);
  const sandbox = config.upstream.url === undefined ? await openSandbox(config, config.sandbox.port ?? 0) : undefined;
  if (config.graphql.graphiql) await buildIfMissing(logger);
  const isAlone = config.server.workers === 1;
  const starting = (isAlone ? startGateway : startWorkers)({
    config: sandbox ? forSandbox(config) : config,
    upstreamUrl: sandbox?.url ?? (config.upstream.url as string),
    ...(sandbox && { serviceName: sandboxName(config.sandbox) }),
    graphiqlHeaders: sandbox ? { Authorization: demoKey } : {},
    logger,
    ...(isAlone && { accessLogger: createAccessLogger(config.log) }),
  });
  // Some worker may be serving before all of them are.
  closeOnSignal(logger, async () => {
    const isWhole = await (await starting).close();
    await sandbox?.close();
    return isWhole;
  });
  const gateway = await starting;
  console.log(`${config.graphql.graphiql ? 'GraphQL and GraphiQL' : 'GraphQL             '}  ${gateway.url}`);
  if (sandbox) {
    console.log(`Sandbox REST service  ${sandbox.url}`);
    console.log(`Demo API key          ${demoKey} (Authorization: ${demoKey})`);
  } else {
    console.log(`REST service          ${new URL(config.upstream.url as string).host}`);
  }
}

async function runWorker(primary: Primary): Promise<void> {
  const options = await primary.options();
  const logger = createLogger(options.config.log);
  const starting = startGateway({
    ...options,
    logger,
    accessLogger: createAccessLogger(options.config.log),
    others: primary.others,
    metricsOfAll: primary.metricsOfAll,
  });
  closeOnSignal(logger, async () => {
    const isWhole = await (await starting).close();
    await primary.disconnect();
    return isWhole;
  });
  await primary.reportReady((await starting).url);
}

/** Its port may be another one each time, and what it has in memory is gone with it. */
function sandboxName({ data }: Config['sandbox']): string {
  return `sandbox ${data === ':memory:' ? crypto.randomUUID() : resolve(data)}`;
}

function forSandbox(config: Config): Config {
  return {
    ...config,
    upstream: {
      ...config.upstream,
      dialect: config.sandbox.dialect,
      forwardHeaders: [...config.upstream.forwardHeaders, ...sandboxControls],
    },
  };
}

async function runSandbox({ config, oldVariables }: Settings): Promise<void> {
  const logger = createLogger(config.log);
  for (const sentence of oldVariables) logger.warn(sentence);
  const sandbox = await openSandbox(config, config.sandbox.port ?? 4010);
  console.log(`Sandbox REST service  ${sandbox.url}`);
  console.log('API keys              demo-coop, demo-buyer');
  closeOnSignal(logger, async () => {
    await sandbox.close();
    return true;
  });
}

async function openSandbox(config: Config, port: number): Promise<Sandbox> {
  // Over a real service the gateway has no use for a second one in its memory.
  const { startSandbox } = await import('./sandbox/server.ts');
  try {
    return await startSandbox({
      port,
      data: config.sandbox.data,
      dialect: config.sandbox.dialect,
      delayMs: config.sandbox.delayMs,
      failRate: config.sandbox.failRate,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error;
    throw new Error(
      `The sandbox cannot keep its data in SANDBOX_DATA=${config.sandbox.data}: ${(error as Error).message}.`,
    );
  }
}

/** Until the end of this time a second signal is the first one: of a Ctrl-C, npm passes on what the terminal has sent to all. */
const sameSignalMs = 1_000;

/** The process ends with 0 when everything was answered, with 1 when not, and at once when it is told so again. */
function closeOnSignal(logger: Logger, close: () => Promise<boolean>): void {
  let stoppedAt: number | undefined;
  const stop = async (isFault: boolean) => {
    if (stoppedAt !== undefined) return;
    stoppedAt = performance.now();
    const isWhole = await close().catch((err) => {
      logger.error({ err }, 'The gateway did not close as it should');
      return false;
    });
    process.exit(isWhole && !isFault ? 0 : 1);
  };
  const heed = (signal: 'SIGTERM' | 'SIGINT') => {
    const isSecond = stoppedAt !== undefined && performance.now() - stoppedAt > sameSignalMs;
    if (isSecond) process.exit(128 + constants.signals[signal]);
    stop(false);
  };
  process.on('SIGTERM', heed);
  process.on('SIGINT', heed);
  watchProcessErrors(logger, () => stop(true));
}
