import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openExample } from '../support/example.ts';
import { freePort } from '../support/free-port.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { callerClaims } from '../support/tokens.ts';

const example = openExample('react-native');
const fileOf = (...path: string[]) => readFileSync(join(example.folder, ...path), 'utf8');

test.each([
  'failure.ts',
  'outbox/caller.ts',
  'outbox/push-answer.ts',
  'outbox/queue-changes.ts',
  'outbox/queued-write.ts',
  'outbox/sender.ts',
])('examples/react-native has src/%s of examples/react', (file) => {
  expect(fileOf('src', file)).toBe(fileOf('../react/src', file));
});

describe.skipIf(example.skip)('the app of examples/react-native', () => {
  let gateway: Gateway;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    gateway = await startGateway({
      settings: { PORT: `${port}`, MEDIA_PROXY: 'true', MEDIA_URL: `http://127.0.0.1:${port}` },
    });
    await example.script('codegen');
  }, 120_000);
  afterAll(() => gateway?.close());

  test(
    'has the types of the schema, of AsyncStorage, of SQLite and of NetInfo',
    () => example.run('node_modules/.bin/tsc', []),
    120_000,
  );

  test('reads and uploads on Android and on iOS, shows pictures, and sends its outbox', async () => {
    const before = await farmers();
    gateway.sandbox.clearCalls();
    await using signedIn = await startGateway({
      sandbox: { dialect: 'connect' },
      settings: { CALLER_CLAIMS: callerClaims },
    });
    const environment = {
      NODE_ENV: 'test',
      NODE_OPTIONS: '',
      EXPO_PUBLIC_GATEWAY_URL: gateway.url,
      SIGN_IN_GATEWAY_URL: signedIn.url,
    };
    await example.script('test', environment);

    const files = gateway.sandbox.calls().flatMap(({ file }) => file ?? []);
    const content = Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
      Buffer.from('JFIF\0bill of sale.jpg'.padEnd(5_000)),
    ]);
    const photograph = {
      name: 'bill_of_sale.jpg',
      type: 'image/jpeg',
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
    expect(files.filter(({ name }) => name === photograph.name)).toMatchObject([photograph, photograph]);
    expect(files.filter(({ name }) => name === 'again.jpg')).toHaveLength(2);
    // The tests of the outbox register four farmers, one of them in spite of a lost answer.
    expect(await farmers()).toBe(before + 4);
  }, 180_000);

  const farmers = async () => (await gateway.ask('{ farmers(limit: 1) { count } }')).body.data.farmers.count;
});
