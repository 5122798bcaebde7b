import { readFileSync, writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { expect } from 'vitest';
import {
  type KnownAnswers,
  type SteppedCall,
  startStepwiseService,
} from '../../packages/cost-report/stepwise-service.ts';
import { callsOf } from '../../packages/graphiql/access-path-text.ts';
import { aboutMs } from '../../packages/graphiql/figures.ts';
import type { AccessPath, Choice, UpstreamReport } from '../../packages/graphiql/upstream-report.ts';
import type { Dialect } from '../../packages/sandbox/framework/dialect.ts';
import { type Sandbox, startSandbox } from '../../packages/sandbox/server.ts';
import type { ServiceCosts } from '../../packages/upstream/service-costs.ts';
import { traceability } from '../../src/app.ts';
import { startGateway } from '../../src/compose.ts';
import type { Answer } from './client.ts';
import { flatCosts, realCosts } from './cost-profiles.ts';
import { configOf } from './settings.ts';

/** The costs that the gateway plans each operation for. */
const profiles = { flat: flatCosts, real: realCosts } satisfies Record<string, ServiceCosts>;
type Profile = keyof typeof profiles;

/** An operation of the golden file. */
export interface Section {
  title: string;
  key: string;
  /** The dialect of the service. */
  dialect: Dialect;
  document: string;
  /** Writes before the operation, past the gateway under test. */
  given: { key: string; dialect: Dialect; document: string }[];
  /** The blocks of its calls; empty for a new operation. */
  calls: string;
}

/** One answer of the gateway, and its calls by wave. */
interface Run {
  calls: SteppedCall[];
  errors: Answer['errors'];
  choices: UpstreamReport['choices'];
}

/** The same operation, sent twice to a new gateway. */
type Trial = Record<'cold' | 'warm', Run>;

const settingsOf = (dialect: Dialect) =>
  configOf({
    PORT: '0',
    UPSTREAM_DIALECT: dialect,
    // Long enough that no catalog is read anew while a slow machine asks twice.
    'cache.lists.ttlMs': '600000',
    IDEMPOTENCY_FILE: ':memory:',
  });

const file = new URL('../golden-calls.md', import.meta.url);
const fenced = /^```(\w+)(.*)\n([\s\S]*?)^```$/gm;
const isWrite = /^\s*mutation\b/;

export function readGoldenFile(): Section[] {
  return sectionsOf(readFileSync(file, 'utf8')).map((text) => {
    const operations = [...text.matchAll(fenced)]
      .filter(([, language]) => language === 'graphql')
      .map(([, , info = '', document = '']) => {
        const words = info.trim().split(' ');
        const key = words.find((word) => word.startsWith('demo-')) ?? 'demo-coop';
        const isConnect = words.includes('connect');
        return {
          isGiven: words.includes('given'),
          key: isConnect ? `Bearer ${key}` : key,
          dialect: isConnect ? ('connect' as const) : ('spec' as const),
          document,
        };
      });
    const [asked, ...others] = operations.filter(({ isGiven }) => !isGiven);
    const title = text.slice(3, text.indexOf('\n'));
    if (!asked || others.length > 0) throw new Error(`"${title}" is not one operation.`);
    return {
      title,
      ...asked,
      given: operations.filter(({ isGiven }) => isGiven),
      calls: text.slice(endOf(text)).trim(),
    };
  });
}

/** Calls and waves of a new gateway, as the file has them. */
export function coldCost({ calls }: Section, profile: Profile): { calls: number; waves: number } {
  const [flat, real = flat] = [...calls.matchAll(fenced)].map(([, , , content = '']) => content);
  const [, count, waves] = /^cold: (\d+) calls? in (\d+) waves?/.exec({ flat, real }[profile] ?? '') ?? [];
  return { calls: Number(count), waves: Number(waves) };
}

/** Writes the blocks of calls into the file, by title, and keeps the other text. */
export function writeGoldenFile(calls: ReadonlyMap<string, string>): void {
  let text = readFileSync(file, 'utf8');
  for (const section of sectionsOf(text)) {
    const blocks = calls.get(section.slice(3, section.indexOf('\n')));
    if (blocks === undefined) continue;
    const head = section.slice(0, endOf(section)).trimEnd();
    text = text.replace(section, () => `${head}\n${blocks}\n${section.endsWith('\n\n') ? '\n' : ''}`);
  }
  writeFileSync(file, text);
}

/** The place in a section where its operation ends. */
function endOf(section: string): number {
  const start = section.indexOf('```text\n');
  return start < 0 ? section.length : start;
}

function sectionsOf(text: string): string[] {
  return text.split(/^(?=## )/m).slice(1);
}

/** Sends each operation twice to a gateway of its own, for each profile. Queries share one sandbox, and its answers. */
export async function startMeter() {
  const shared = { spec: await startSandbox(), connect: await startSandbox({ dialect: 'connect' }) };
  const known: Record<Dialect, KnownAnswers> = { spec: new Map(), connect: new Map() };

  async function trialOf({ key, dialect, document, given }: Section, profile: Profile): Promise<Trial> {
    const leavesNoTrace = given.length === 0 && !isWrite.test(document);
    const sandbox = leavesNoTrace ? shared[dialect] : await startSandbox({ dialect });
    if (given.length > 0) await write(sandbox, given);
    const service = await startStepwiseService(sandbox.url, leavesNoTrace ? known[dialect] : undefined);
    const gateway = await gatewayTo(service.url, profiles[profile], dialect);
    const run = async (): Promise<Run> => {
      const { errors = [], extensions } = await gateway.send(document, key);
      return { calls: await service.takeCalls(), errors, choices: extensions.upstream.choices };
    };
    const cold = await run();
    const warm = await run();
    await gateway.close();
    await service.close();
    if (!leavesNoTrace) await sandbox.close();
    return { cold, warm };
  }

  return {
    trialsOf: async (section: Section) => ({
      flat: await trialOf(section, 'flat'),
      real: await trialOf(section, 'real'),
    }),
    close: () => Promise.all([shared.spec.close(), shared.connect.close()]),
  };
}

interface TracedAnswer {
  errors?: Answer['errors'];
  extensions: { upstream: UpstreamReport };
}

async function write(sandbox: Sandbox, given: Section['given']): Promise<void> {
  const gateway = await gatewayTo(sandbox.url, flatCosts, given[0]?.dialect ?? 'spec');
  for (const { key, document } of given) expect((await gateway.send(document, key)).errors).toBeUndefined();
  await gateway.close();
}

async function gatewayTo(upstreamUrl: string, costs: ServiceCosts, dialect: Dialect) {
  const gateway = await startGateway(traceability, {
    config: settingsOf(dialect),
    upstreamUrl,
    logger: pino({ level: 'silent' }),
    costs,
  });
  return {
    close: () => gateway.close(),
    async send(query: string, authorization: string): Promise<TracedAnswer> {
      const response = await fetch(gateway.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'accept-encoding': 'identity',
          authorization,
          'x-trace-upstream': 'true',
        },
        body: JSON.stringify({ query }),
      });
      return (await response.json()) as TracedAnswer;
    },
  };
}

/** The blocks of calls as the file has them. */
export function blocksOf({ flat, real }: Record<Profile, Trial>): string {
  const areSame = haveSameCalls(flat.cold, real.cold) && haveSameCalls(flat.warm, real.warm);
  const blocks = areSame
    ? [`text\n${textOf(flat)}\nreal: the same`]
    : [`text\n${textOf(flat)}`, `text real\n${withoutManyIds(textOf(real))}`];
  return blocks.map((block) => `\`\`\`${block}\n\`\`\``).join('\n');
}

/** One line in place of more than five GETs of one wave that differ in their ids alone. */
export function withoutManyIds(text: string): string {
  return text.replace(/^(\d+ GET \/\S+\/)[^/?\s]+\/\n(?:\1[^/?\s]+\/\n){5,}/gm, (calls, path) => {
    return `${path}…/ (${calls.trimEnd().split('\n').length} ids)\n`;
  });
}

function textOf({ cold, warm }: Trial): string {
  const text = (run: Run) => [callsText(run), ...choiceLines(run)].join('\n');
  return `cold: ${text(cold)}\nwarm: ${haveSameCalls(cold, warm) ? 'the same' : text(warm)}`;
}

const haveSameCalls = (a: Run, b: Run) => callsText(a) === callsText(b);

const wavesOf = ({ calls }: Run) => calls.at(-1)?.wave ?? 0;

function callsText(run: Run): string {
  const codes = Map.groupBy(run.errors, ({ extensions }) => extensions.code);
  const failed = [...codes].map(([code, { length }]) => (length > 1 ? `${length} ${code}` : `${code}`)).toSorted();
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  const summary = `${count(run.calls.length, 'call')} in ${count(wavesOf(run), 'wave')}`;
  const lines = run.calls.map(({ wave, method, path }) => `${wave} ${method} ${path}`);
  return [summary + (failed.length > 0 ? `, errors: ${failed.join(', ')}` : ''), ...lines].join('\n');
}

/** The chosen way and the fastest other one: "4 GETs ≈ 120 ms, instead of a page ≈ 1.3 s". */
function choiceText({ chosen, others: [other] }: Choice): string {
  if (!other) return '';
  // Where the chosen way is not the fastest, its work explains the choice.
  const showsWork = other.ms <= chosen.ms && other.workMs > chosen.workMs;
  const estimate = ({ ms, workMs }: AccessPath) =>
    showsWork ? `≈ ${aboutMs(ms)} (${aboutMs(workMs)} of work)` : `≈ ${aboutMs(ms)}`;
  const instead = chosen.pages === 0 ? callsOf(other).replace(/^1 page$/, 'a page') : callsOf(other);
  return `${callsOf(chosen)} ${estimate(chosen)}, instead of ${instead} ${estimate(other)}`;
}

/** Batches and ranges for which there was more than one way. */
function choiceLines({ choices }: Run): string[] {
  return choices
    .filter(({ others }) => others.length > 0)
    .map((choice) => `- ${choice.path.split('/').at(-2)} for ${choice.fields.join(', ')}: ${choiceText(choice)}`)
    .toSorted();
}
