import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { callerOf, UpstreamError } from '@gateway/base';
import * as doctor from '@gateway/command';
import { openService } from '@gateway/rest-graph';
import { claimAt, claimsOf } from '@gateway/upstream';
import { traceability } from '../app.ts';
import { schemaParts, serviceOptions } from '../compose.ts';
import { type Config, readSettings } from '../config.ts';

/** A record holds the answer to a write. */
const recordBytes = 2_048;
const sandboxBytes = 100 * 2 ** 20;

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
    ...(url === undefined
      ? [noService, ...folder('sandbox', data, { purpose: 'its data', setting: 'SANDBOX_DATA', needed: sandboxBytes })]
      : ofService),
    { name: 'Redis', run: () => doctor.checkRedis(config.redis.url) },
    ...folder('records', file === ':memory:' ? file : dirname(file), {
      purpose: 'records of writes',
      setting: 'IDEMPOTENCY_FILE',
      needed: config.idempotency.writes * recordBytes,
    }),
    ...folder('uploads', tmpdir(), {
      purpose: 'files without a length',
      setting: 'TMPDIR',
      needed: config.limits.uploads.spooledBytes,
    }),
  ];
}

function folder(name: string, path: string, use: doctor.FolderUse): doctor.Check[] {
  return path === ':memory:' ? [] : [{ name, run: () => doctor.checkFolder(path, use) }];
}

const skipped = (found: string): doctor.Finding => ({ state: 'skipped', found });

/** Reads what the gateway reads to prove a token that it does not know. */
async function checkKey(config: Config, url: string, key: string | undefined): Promise<doctor.Finding> {
  if (!key) return skipped('Give an API key in KEY to try it, and to find the dialect.');
  const service = openService(traceability, { ...serviceOptions(config, url), parts: schemaParts });
  const caller = callerOf({ authorization: key }, 'authorization');
  const context = service.open(service.callers.known(caller));
  try {
    const { endpoint, subject } = traceability.contract.keyProof;
    await context.reader.read(endpoint, subject, { reason: 'token', fields: () => [] });
    const { known, advice } = service.upstream.dialect;
    if (advice) return { state: 'failed', found: 'The key is accepted.', advice };
    const { caller: ofCaller, me, company } = config.upstream.claims;
    const missing = [...ofCaller, me, company].filter((path) => path && !claimAt(claimsOf(caller), path));
    if (missing.length > 0) {
      const advice = 'Compare CALLER_CLAIMS, ME_CLAIM and COMPANY_CLAIM with the claims of its token.';
      return { state: 'warning', found: `The key is accepted, and lacks the claim ${missing.join(', ')}.`, advice };
    }
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
