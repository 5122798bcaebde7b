import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { openExample } from '../support/example.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

const program = join(import.meta.dirname, '../../examples/import/import.ts');
const folder = mkdtempSync(join(tmpdir(), 'import-'));
const test = anyTest.skipIf(openExample('import').skip);
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

interface Run {
  code: number;
  said: string;
  /** The rows of the file that were not written. */
  failed: string[];
}

/** Runs the program over these lines. */
function importing(name: string, lines: readonly string[], options = ['--yes'], url = gateway.url): Promise<Run> {
  const file = join(folder, `${name}.csv`);
  writeFileSync(file, `\ufeff${lines.join('\r\n')}\r\n`);
  return new Promise((resolve) => {
    const args = [program, file, '--url', url, '--key', 'demo-coop', ...options];
    execFile(process.execPath, args, (error, stdout, stderr) => {
      const left = join(folder, `${name}.failed.csv`);
      const failed = stdout.includes('.failed.csv') ? readFileSync(left, 'utf8').trim().split('\n').slice(1) : [];
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr, failed });
    });
  });
}

const farmersNow = async () => (await gateway.ask('{ farmers(limit: 1) { count } }')).body.data.farmers.count;
const writes = () => gateway.sandbox.calls().filter(({ method }) => method === 'POST').length;

test('writes the rows that are right, and says of each other one why it is not written', async () => {
  const before = await farmersNow();
  const { code, said, failed } = await importing('mixed', [
    'first_name;last_name;phone;number;province;country;latitude',
    'Ama;"Owusu; née Boateng";+233245550101;;Ashanti;Ghana;6.69',
    'Immaculée;Uwimana;0720 692 858;;Kigali;Rwanda;',
    'Immaculée;Uwimana;;;Kigali;Rwanda;',
    ';Nobody;;;;;',
    'Kofi;Mensah;;;;;north',
    'Ama;"Owusu; née Boateng";+233245550101;;Ashanti;Ghana;6.69',
    'Yaw;Boateng;;12345678901;;;',
    'Esi;Nowhere;;;;;200',
  ]);
  expect(code).toBe(0);
  expect(said).toContain('8 rows: 2 to create, 0 there already, 6 not.');
  expect(said).toContain('Row 4 has the name of Immaculée Uwimana');
  expect(said).toContain('2 farmers are created.');
  expect(failed.map((line) => line.replace(/^.*?,(\d),/, '$1 '))).toEqual([
    '3 Is there already: Immaculée Uwimana (BXQ3KBR6AN).',
    '5 first_name: The cell is empty.',
    '6 "latitude: Float cannot represent non numeric value: ""north"""',
    '7 The same as row 2.',
    '8 number: At most 10 characters; this has 11.',
    '9 latitude: 200 is beyond 90 degrees.',
  ]);
  expect(await farmersNow()).toBe(before + 2);
  const query = '{ farmers(last_name: "Owusu; née Boateng") { results { first_name latitude } } }';
  expect((await gateway.ask(query)).body.data.farmers.results).toEqual([{ first_name: 'Ama', latitude: 6.69 }]);
});

test('writes nothing with --check, and makes one look through the farmers', async () => {
  gateway.sandbox.clearCalls();
  const rows = Array.from({ length: 100 }, (_, at) => `Check ${at}`);
  const { said } = await importing('check', ['first_name', ...rows], ['--check']);
  expect(said).toContain('100 rows: 100 to create, 0 there already, 0 not.');
  expect(writes()).toBe(0);
  expect(new Set(gateway.sandbox.calls().map(({ path }) => path.split('?')[0]))).toEqual(
    new Set(['/supply-chains/farmers/']),
  );
});

test('says of the same file that its rows are there already, and lists what is another farmer', async () => {
  const rows = [
    'first_name,last_name,phone,province',
    'Efua,Twice,+233245559901,Volta',
    'Yaa,Twice,+233245559902,Volta',
  ];
  await importing('twice', rows);
  const { said, failed } = await importing('twice', [...rows, 'Yaa,Married,+233245559902,Volta']);
  expect(said).toContain('3 rows: 0 to create, 2 there already, 1 not.');
  expect(failed).toEqual([expect.stringContaining('Is there already: Yaa Twice')]);
});

test('takes its own file of failed rows once they are corrected', async () => {
  await importing('again', ['first_name,number', 'Esi,12345678901']);
  const file = join(folder, 'again.failed.csv');
  const corrected = readFileSync(file, 'utf8').replace('12345678901', '1234567890').split('\n');
  const { said } = await importing('corrected', corrected);
  expect(said).toContain('1 farmers are created.');
});

test('takes no farmer for known by a telephone number that is none', async () => {
  await gateway.ask('mutation { createFarmer(input: { first_name: "Odd", phone: "none" }) { id } }');
  const { said } = await importing('phone', ['first_name,phone', 'Abena,+233201234567'], ['--check']);
  expect(said).toContain('1 rows: 1 to create, 0 there already, 0 not.');
});

test('goes on after a cut, and writes no row twice', async () => {
  await using proxy = await startFaultProxy(gateway.url);
  // The answers of the checks are short. That of the rows is cut in the middle.
  proxy.set((connection) => (connection === 1 ? { answer: { resetAfter: 70_000 } } : {}));
  const before = await farmersNow();
  gateway.sandbox.clearCalls();
  const rows = Array.from({ length: 400 }, (_, at) => `Cut,${at}`);
  const { code, said } = await importing('cut', ['first_name,last_name', ...rows], ['--yes'], proxy.url);
  expect(said).toContain('400 farmers are created.');
  expect(code).toBe(0);
  expect(proxy.opened).toBeGreaterThan(1);
  expect(await farmersNow()).toBe(before + 400);
  expect(writes()).toBe(400);
});

test('names a column that no farmer has', async () => {
  const { code, said } = await importing('unknown', ['first_name,shoe_size', 'Ama,42']);
  expect(code).toBe(1);
  expect(said).toContain('A farmer has no field shoe_size. The first line names fields: first_name, ');
});

test('says that no gateway answers', async () => {
  const { code, said } = await importing('nobody', ['first_name', 'Ama'], ['--yes'], 'http://127.0.0.1:2/graphql');
  expect(code).toBe(1);
  expect(said).toContain('No answer comes from http://127.0.0.1:2/graphql (ECONNREFUSED): is the gateway running?');
});

test('creates the farmers of the example', async () => {
  const lines = readFileSync(join(import.meta.dirname, '../../examples/import/farmers.csv'), 'utf8')
    .trim()
    .split('\n');
  const { said } = await importing('example', lines);
  expect(said).toContain('2 farmers are created.');
});
