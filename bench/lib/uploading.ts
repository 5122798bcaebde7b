import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { peerNamed } from './peers.ts';
import { start, stop, until } from './processes.ts';
import { type RunningPeer, startPeer } from './running.ts';

export interface UploadingGateway extends RunningPeer {
  /** Id of a payment that takes invoices. */
  payment: string;
  /** Temporary files of the gateway: by name, and open ones without a name. */
  temporaryFiles(): string[];
}

/** Runs the gateway and a sandbox in two processes. Both end with `use`, which deletes their data. */
export async function withUploadingGateway<Result>(
  settings: Record<string, string>,
  use: (gateway: UploadingGateway) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'uploads-bench-'));
  const temporary = mkdtempSync(join(tmpdir(), 'uploads-bench-'));
  const port = await freePort();
  const service = `http://127.0.0.1:${port}/v1`;
  const sandbox = start('sandbox', ['node', '../src/main.ts', 'sandbox'], {
    SANDBOX_PORT: String(port),
    SANDBOX_DATA: folder,
  });
  try {
    let payment = '';
    await until('The sandbox', 20, async () => {
      const list = `${service}/transactions/payment-transactions/?limit=1`;
      const answer = (await (await fetch(list, { headers: { authorization: 'demo-coop' } })).json()) as PaymentList;
      payment = answer.results[0]!.id;
      return true;
    });
    const ours = peerNamed('ours');
    const gateway = await startPeer({ ...ours, env: { ...ours.env, ...settings, TMPDIR: temporary } }, service);
    const temporaryFiles = () => [...readdirSync(temporary), ...openFiles(gateway.pid, temporary)];
    try {
      return await use({ ...gateway, payment, temporaryFiles });
    } finally {
      await gateway.stop();
    }
  } finally {
    await stop(sandbox);
    for (const each of [folder, temporary]) rmSync(each, { recursive: true });
  }
}

interface PaymentList {
  results: { id: string }[];
}

function openFiles(pid: number, folder: string): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/${pid}/fd/${fd}`);
      return path.startsWith(`${folder}/`) ? [path] : [];
    } catch {
      return []; // closed meanwhile
    }
  });
}
