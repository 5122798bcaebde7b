import { readFileSync, writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { expect } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type SteppedCall, startStepwiseService } from '../../src/cost-report/stepwise-service.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { startGateway } from '../../src/server/gateway.ts';
import type { Answer } from './client.ts';

/** An operation of the golden file. */
export interface Section {
  title: string;
  key: string;
  document: string;
  /** Writes before the operation, past the gateway under test. */
  given: { key: string; document: string }[];
  /** The cost in the file; empty for a new operation. */
  cost: string;
}

const file = new URL('../golden-calls.md', import.meta.url);
const fenced = /^```(\w+)(.*)\n([\s\S]*?)^```$/gm;
const isWrite = /^\s*mutation\b/;

export function readGoldenFile(): Section[] {
  return sectionsOf(readFileSync(file, 'utf8')).map((text) => {
    const blocks = [...text.matchAll(fenced)].map(([, language, info = '', content = '']) => {
      const words = info.trim().split(' ');
      return {
        language,
        isGiven: words.includes('given'),
        operation: { key: words.find((word) => word.startsWith('demo-')) ?? 'demo-coop', document: content },
        content,
      };
    });
    const operations = blocks.filter(({ language }) => language === 'graphql');
    const asked = operations.filter(({ isGiven }) => !isGiven);
    const costs = blocks.filter(({ language }) => language === 'text');
    const title = text.slice(3, text.indexOf('\n'));
    if (asked.length !== 1 || costs.length > 1) throw new Error(`"${title}" is not one operation with one cost.`);
    return {
      title,
      ...asked[0]!.operation,
      given: operations.filter(({ isGiven }) => isGiven).map(({ operation }) => operation),
      cost: costs[0]?.content.trim() ?? '',
    };
  });
}

/** Writes costs into the file, by title, and keeps the other text. */
export function writeGoldenFile(costs: ReadonlyMap<string, string>): void {
  let text = readFileSync(file, 'utf8');
  for (const section of sectionsOf(text)) {
    const cost = costs.get(section.slice(3, section.indexOf('\n')));
    if (cost === undefined) continue;
    const end = section.lastIndexOf('```text\n');
    const head = (end < 0 ? section : section.slice(0, end)).trimEnd();
    text = text.replace(section, () => `${head}\n\`\`\`text\n${cost}\n\`\`\`\n${section.endsWith('\n\n') ? '\n' : ''}`);
  }
  writeFileSync(file, text);
}

function sectionsOf(text: string): string[] {
  return text.split(/^(?=## )/m).slice(1);
}

/** Sends each operation twice to its own gateway, and counts the calls. Queries share one sandbox. */
export async function startMeter() {
  const shared = await startSandbox();

  async function costOf({ key, document, given }: Section): Promise<string> {
    const leavesNoTrace = given.length === 0 && !isWrite.test(document);
    const sandbox = leavesNoTrace ? shared : await startSandbox();
    if (given.length > 0) await write(sandbox, given);
    const service = await startStepwiseService(sandbox.url);
    const gateway = await gatewayTo(service.url);
    const run = async () => {
      const { errors } = await gateway.send(document, key);
      return costText(await service.takeCalls(), errors);
    };
    const cold = await run();
    const warm = await run();
    await gateway.close();
    await service.close();
    if (!leavesNoTrace) await sandbox.close();
    return `cold: ${cold}\nwarm: ${warm === cold ? 'the same' : warm}`;
  }

  return { costOf, close: () => shared.close() };
}

async function write(sandbox: Sandbox, given: Section['given']): Promise<void> {
  const gateway = await gatewayTo(sandbox.url);
  for (const { key, document } of given) expect((await gateway.send(document, key)).errors).toEqual([]);
  await gateway.close();
}

async function gatewayTo(upstreamUrl: string) {
  const gateway = await startGateway({
    // Long enough that no catalog is read anew while a slow machine asks twice.
    config: readConfig({ PORT: '0', CATALOG_TTL_MS: '600000', IDEMPOTENCY_FILE: ':memory:' }),
    upstreamUrl,
    graphiqlHeaders: {},
    logger: pino({ level: 'silent' }),
  });
  return {
    close: () => gateway.close(),
    async send(query: string, authorization: string): Promise<Pick<Answer, 'errors'>> {
      const response = await fetch(gateway.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({ query }),
      });
      const { errors = [] } = (await response.json()) as Partial<Answer>;
      return { errors };
    },
  };
}

function costText(calls: SteppedCall[], errors: Answer['errors']): string {
  const waves = calls.at(-1)?.wave ?? 0;
  const codes = Map.groupBy(errors, ({ extensions }) => extensions.code);
  const failed = [...codes].map(([code, { length }]) => (length > 1 ? `${length} ${code}` : `${code}`)).toSorted();
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  const summary = `${count(calls.length, 'call')} in ${count(waves, 'wave')}`;
  const lines = calls.map(({ wave, method, path }) => `${wave} ${method} ${path}`);
  return [summary + (failed.length > 0 ? `, errors: ${failed.join(', ')}` : ''), ...lines].join('\n');
}
