import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { callerOf, UpstreamError } from '@gateway/base';
import * as doctor from '@gateway/command';
import { openService } from '@gateway/rest-graph';
import { traceability } from '../app.ts';
import { schemaParts, serviceOptions } from '../compose.ts';
import { type Config, readSettings } from '../config.ts';

/** The checks of the machine and the service of these settings. `KEY` is an API key to try. */
export function checksOf(environment: NodeJS.ProcessEnv): doctor.Check[] {
  const node = { name: 'Node', run: () => doctor.checkNode() };
  let config: Config;
  try {
    config = readSettings(environment).config;
  } catch (error) {
    const advice = 'Correct these; docs/configuration.md lists all settings.';
    return [node, { name: 'settings', run: () => ({ state: 'failed', found: (error as Error).message, advice }) }];
  }
  const { url } = config.upstream;
  const { file } = config.idempotency;
  const { data } = config.sandbox;
  const ofService: doctor.Check[] = [
    { name: 'URL', run: () => doctor.checkAddress(url as string) },
    { name: 'certificate', run: () => doctor.checkCertificate(url as string) },
    { name: 'clock', run: () => doctor.checkClock(url as string) },
    { name: 'key and dialect', run: () => checkKey(config, url as string, environment.KEY) },
  ];
  const noService = { name: 'service', run: () => skipped('UPSTREAM_URL is not set: the sandbox answers.') };
  return [
    node,
    ...(url === undefined ? [noService, ...folder('sandbox', data, 'its data', 'SANDBOX_DATA')] : ofService),
    { name: 'Redis', run: () => doctor.checkRedis(config.redis.url) },
    ...folder('records', file === ':memory:' ? file : dirname(file), 'records of writes', 'IDEMPOTENCY_FILE'),
    ...folder('uploads', tmpdir(), 'files without a length', 'TMPDIR'),
  ];
}

function folder(name: string, path: string, purpose: string, setting: string): doctor.Check[] {
  return path === ':memory:' ? [] : [{ name, run: () => doctor.checkFolder(path, purpose, setting) }];
}

const skipped = (found: string): doctor.Finding => ({ state: 'skipped', found });

/** Reads what the gateway reads to prove a token that it does not know. */
async function checkKey(config: Config, url: string, key: string | undefined): Promise<doctor.Finding> {
  if (!key) return skipped('Give an API key in KEY to try it, and to find the dialect.');
  const service = openService(traceability, { ...serviceOptions(config, url), parts: schemaParts });
  const context = service.open(service.callers.known(callerOf({ authorization: key }, 'authorization'), {}));
  try {
    const { endpoint, subject } = traceability.contract.keyProof;
    await context.reader.read(endpoint, subject, { reason: 'token', fields: () => [] });
    const { known, advice } = service.upstream.dialect;
    if (advice) return { state: 'failed', found: 'The key is accepted.', advice };
    return { state: 'ok', found: `The key is accepted; the service speaks ${known ?? 'no dialect that is known'}.` };
  } catch (error) {
    const isKey = error instanceof UpstreamError && error.code === 'UNAUTHENTICATED';
    const advice = isKey
      ? 'Use a key of this service, as its apps send it, such as "Bearer <token>". Tokens end after minutes.'
      : 'See docs/errors.md for the code, and docs/dialects.md for what services speak.';
    return { state: 'failed', found: (error as Error).message, advice };
  } finally {
    context.end();
    await service.close();
  }
}
