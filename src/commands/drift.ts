import type { Output } from '@gateway/base';
import { runDrift } from '@gateway/drift/command';
import { traceability } from '../app.ts';
import { readSettings } from '../config.ts';

const openApiFile = new URL('../../schema/rest-service.openapi.yaml', import.meta.url);

/** `npm run drift` */
export function drift(args: string[], output: Output): Promise<number> {
  return runDrift(args, output, { contract: traceability.contract, openApiFile, metricsUrl });
}

/** That of a gateway that runs here with the same settings. */
function metricsUrl(): string {
  const { host, port, adminPort } = readSettings(undefined, { needsService: false }).config.server;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${adminPort ?? port}/metrics`;
}

if (import.meta.main) process.exitCode = await drift(process.argv.slice(2), console);
