import { constants } from 'node:os';
import { resolve } from 'node:path';
import { buildIfMissing } from '@gateway/graphiql';
import {
  createAccessLogger,
  createLogger,
  flushLogOutputs,
  type Gateway,
  openLogOutput,
  tuneHeap,
  watchProcessErrors,
} from '@gateway/graphql-serve';
import { connectToPrimary, type Primary, startWorkers } from '@gateway/replicas';
import type { Sandbox } from '@gateway/sandbox';
import type { DestinationStream, Logger } from 'pino';
import { traceability } from './app.ts';
import { type GatewayOptions, startGateway } from './compose.ts';
import { type Config, readSettings, readTelemetry } from './config.ts';
import { type SandboxPace, sandboxControls } from './sandbox-pace.ts';

tuneHeap();

const demoKey = 'demo-coop';

const primary = connectToPrimary();
try {
  if (primary) await runWorker(primary);
  else await runPrimary(process.argv[2] === 'sandbox');
} catch (error) {
  // The primary process prints an error that all workers meet once.
  if (primary) await primary.reportFailure(reasonOf(error));
  else console.error(reasonOf(error));
  // Sockets and files that are open already would keep the process running.
  await exit(1);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken; choose another one with PORT, ADMIN_PORT for health checks, or SANDBOX_PORT for the sandbox.`;
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') return `HOST is no address of this machine: ${error.message}.`;
  return error.message;
}

async function exit(code: number): Promise<void> {
  await flushLogOutputs();
  process.exit(code);
}

async function runPrimary(isSandboxAlone: boolean): Promise<void> {
  const { config, isProduction } = readSettings(undefined, { needsService: !isSandboxAlone });
  const output = openLogOutput(config.log);
  const logger = createLogger(config.log, output, traceability.contract.keyHeader);
  if (isSandboxAlone) await runSandbox(config, logger, output);
  else await runGateway(config, logger, output, { isProduction });
}

async function runGateway(
  config: Config,
  logger: Logger,
  output: DestinationStream,
  { isProduction }: { isProduction: boolean },
): Promise<void> {
  const { url } = config.upstream;
  const telemetry = readTelemetry();
  for (const complaint of telemetry?.complaints ?? []) logger.warn(complaint);
  const sandbox = url === undefined ? await openSandbox(config.sandbox, 0) : undefined;
  if (config.graphql.graphiql) await buildIfMissing(logger);
  const isAlone = config.server.workers === 1;
  const options: GatewayOptions = {
    config: sandbox ? forSandbox(config) : config,
    upstreamUrl: sandbox?.url ?? (url as string),
    ...(sandbox && { serviceName: sandboxName(config.sandbox) }),
    ...(sandbox && { demoKey }),
    // Workers share one sandbox, and each learns its costs for itself.
    sandboxPace: sandbox && isAlone && !isProduction ? await paceSwitch(sandbox, config.sandbox.pace) : undefined,
    telemetry,
    logger,
    ...(isAlone && { accessLogger: createAccessLogger(config.log) }),
  };
  const starting = isAlone
    ? startGateway(traceability, options)
    : startWorkers({ options: { ...options, logger: undefined }, server: options.config.server, logger });
  // A signal may come while the first worker serves, and others still start.
  const close = async () => {
    const isComplete = await (await starting).close();
    await sandbox?.close();
    return isComplete;
  };
  closeOnSignal(logger, close, reloadOf(config, starting));
  const gateway = await starting;
  output.write(`${config.graphql.graphiql ? 'GraphQL and GraphiQL' : 'GraphQL             '}  ${gateway.url}\n`);
  if (gateway.adminUrl) output.write(`Health and metrics    ${gateway.adminUrl}\n`);
  if (sandbox) {
    output.write(`Sandbox REST service  ${sandbox.url}\n`);
    output.write(`Demo API key          ${demoKey} (${traceability.contract.data.key.header}: ${demoKey})\n`);
  } else {
    output.write(`REST service          ${new URL(url as string).host}\n`);
  }
}

async function runWorker(primary: Primary): Promise<void> {
  const options = await primary.options<GatewayOptions>();
  const logger = createLogger(options.config.log, openLogOutput(options.config.log), traceability.contract.keyHeader);
  const starting = startGateway(traceability, {
    ...options,
    logger,
    accessLogger: createAccessLogger(options.config.log),
    carrier: primary.carrier,
    sharedMetrics: primary.metrics,
  });
  const close = async () => {
    const isComplete = await (await starting).close();
    await primary.disconnect();
    return isComplete;
  };
  closeOnSignal(logger, close, reloadOf(options.config, starting));
  await primary.reportReady((await starting).url);
}

/** Names the sandbox by its data, because its port may change with each start. Data in memory ends with the process. */
function sandboxName({ data }: Config['sandbox']): string {
  return `sandbox ${data === ':memory:' ? crypto.randomUUID() : resolve(data)}`;
}

function forSandbox(config: Config): Config {
  const forwardHeaders = [...config.upstream.forwardHeaders, ...sandboxControls];
  return { ...config, upstream: { ...config.upstream, dialect: config.sandbox.dialect, forwardHeaders } };
}

async function runSandbox(config: Config, logger: Logger, output: DestinationStream): Promise<void> {
  const sandbox = await openSandbox({ ...config.sandbox, host: config.server.host }, 4_010);
  output.write(`Sandbox REST service  ${sandbox.url}\n`);
  output.write('API keys              demo-coop, demo-buyer\n');
  closeOnSignal(logger, () => sandbox.close().then(() => true));
}

async function openSandbox(options: Config['sandbox'] & { host?: string }, defaultPort: number): Promise<Sandbox> {
  // A gateway over a real service does not load the sandbox.
  const { startSandbox, readPace } = await import('@gateway/sandbox');
  const pace = readPace(options.pace);
  try {
    return await startSandbox({ ...options, port: options.port ?? defaultPort, pace });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error;
    throw new Error(`The sandbox cannot keep its data in SANDBOX_DATA=${options.data}: ${(error as Error).message}.`);
  }
}

async function paceSwitch(sandbox: Sandbox, first: string): Promise<SandboxPace> {
  const { PaceSwitch } = await import('@gateway/sandbox');
  return new PaceSwitch(sandbox, first);
}

/** Reads the manifests anew. Undefined where there are none. */
function reloadOf({ graphql }: Config, starting: Promise<Gateway>): (() => Promise<void>) | undefined {
  if (graphql.trustedDocuments.files.length === 0) return undefined;
  return async () => (await starting).reload();
}

/** Two signals within this time are one: npm repeats a Ctrl-C that the terminal has sent to the gateway too. */
const sameSignalMs = 1_000;

/**
 * Closes and ends the process at the first signal. `close` resolves with true when every request was answered: code 0.
 * Otherwise the code is 1. A second signal ends the process at once. `onHangup` takes SIGHUP, with which a terminal that is
 * closed would stop the process too.
 */
function closeOnSignal(logger: Logger, close: () => Promise<boolean>, onHangup?: () => void): void {
  let stoppedAt: number | undefined;
  const stop = async (isFault: boolean) => {
    if (stoppedAt !== undefined) return;
    stoppedAt = performance.now();
    const isComplete = await close().catch((err) => {
      logger.error({ err }, 'The gateway did not close as it should');
      return false;
    });
    await exit(isComplete && !isFault ? 0 : 1);
  };
  const onSignal = (signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP') => {
    const isSecond = stoppedAt !== undefined && performance.now() - stoppedAt > sameSignalMs;
    if (isSecond) process.exit(128 + constants.signals[signal]);
    logger.info({ signal }, 'The process stops when all requests are answered');
    stop(false);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', onHangup ?? onSignal);
  watchProcessErrors(logger, () => stop(true));
}
