import { setTimeout as delay } from 'node:timers/promises';
import type { Failure, FailureOptions, MatchOptions } from './options.ts';
import { Refusal } from './refusal.ts';
import { endpoints } from './resources.ts';

/** The parts of a call by which `when` chooses. */
export interface FailingCall {
  id: string;
  query: URLSearchParams;
  body: unknown;
}

interface Rule extends FailureOptions {
  /** As the test wrote it. */
  text: string;
  endpoint: string;
  failure?: Failure;
  delayMs?: number;
  /** Calls to the endpoint while the rule was in force, and those of them that it met. */
  seen: number;
  met: number;
  undone: PromiseWithResolvers<void>;
}

const kinds = ['disconnect', 'lost-answer', 'cut-answer', 'html', 'wrong-type'];
const longestTimerMs = 2 ** 31 - 1;
const optionNames = {
  fail: ['times', 'when', 'body', 'retryAfter'],
  delay: ['times', 'when'],
  when: ['id', 'query', 'body'],
};

/** The failures and delays that a test asks for. The newest one that fits a call meets it. */
export class Failures {
  #active: Rule[] = [];
  #all: Rule[] = [];

  fail(endpoint: string, failure: Failure, options: FailureOptions = {}): () => void {
    const isStatus = typeof failure === 'number' && Number.isInteger(failure) && failure >= 400 && failure < 600;
    if (!isStatus && !kinds.includes(failure as string)) {
      throw new Error(`fail: ${written([failure])} is no status from 400 to 599, and none of ${kinds.join(', ')}.`);
    }
    checkNames('fail', options);
    return this.#add({ ...options, text: `fail(${written([endpoint, failure], options)})`, endpoint, failure });
  }

  delay(endpoint: string, delayMs: number, options: MatchOptions = {}): () => void {
    if (typeof delayMs !== 'number' || !(delayMs >= 0))
      throw new Error(`delay: ${delayMs} is no number of milliseconds from 0 on.`);
    checkNames('delay', options);
    return this.#add({ ...options, text: `delay(${written([endpoint, delayMs], options)})`, endpoint, delayMs });
  }

  /** The failure that meets the call. */
  failureOf(endpoint: string, call: FailingCall): Rule | undefined {
    return this.#meet(endpoint, call, ({ failure }) => failure !== undefined);
  }

  /** Resolves when the call may be answered. */
  async delayed(endpoint: string, call: FailingCall): Promise<void> {
    const rule = this.#meet(endpoint, call, ({ delayMs }) => delayMs !== undefined);
    if (!rule) return;
    const { delayMs = 0, undone } = rule;
    if (delayMs > longestTimerMs) return undone.promise;
    const timer = new AbortController();
    await Promise.race([undone.promise, delay(delayMs, undefined, { ref: false, signal: timer.signal })]);
    timer.abort();
  }

  /** A sentence for each failure and delay that met no call. */
  unmet(): string[] {
    const missed = this.#all.filter(({ met }) => met === 0);
    return missed.map(({ text, endpoint, seen }) =>
      seen === 0
        ? `${text} met no call: nothing called ${endpoint}.`
        : `${text} met no call: its \`when\` fits none of the ${seen} calls to ${endpoint}.`,
    );
  }

  reset(): void {
    for (const { undone } of this.#active) undone.resolve();
    this.#active = [];
    this.#all = [];
  }

  #add(options: Omit<Rule, 'seen' | 'met' | 'undone'>): () => void {
    const { endpoint, text, times = 1 } = options;
    const names = endpoints.map(({ name }) => name).toSorted();
    if (!names.includes(endpoint)) {
      throw new Error(`${text}: there is no endpoint ${endpoint}. The endpoints are ${names.join(', ')}.`);
    }
    if (!Number.isInteger(times) || times < 1) throw new Error(`${text}: times must be a whole number from 1 on.`);
    const rule: Rule = { ...options, seen: 0, met: 0, undone: Promise.withResolvers() };
    this.#active.push(rule);
    this.#all.push(rule);
    return () => {
      this.#active = this.#active.filter((other) => other !== rule);
      rule.undone.resolve();
    };
  }

  #meet(endpoint: string, call: FailingCall, isWanted: (rule: Rule) => boolean): Rule | undefined {
    const candidates = this.#active.filter((rule) => rule.endpoint === endpoint && isWanted(rule));
    for (const rule of candidates) rule.seen += 1;
    const rule = candidates.findLast(
      ({ met, times = Number.POSITIVE_INFINITY, when = {} }) => met < times && fits(when, call),
    );
    if (rule) rule.met += 1;
    return rule;
  }
}

/** A misspelled option would fail calls that the test did not mean. */
function checkNames(method: 'fail' | 'delay', options: MatchOptions): void {
  for (const [place, given] of [
    [method, options],
    ['when', options.when ?? {}],
  ] as const) {
    const unknown = Object.keys(given).filter((name) => !optionNames[place].includes(name));
    if (unknown.length === 0) continue;
    throw new Error(
      `${place}: there is no option ${unknown.join(', ')}. The options are ${optionNames[place].join(', ')}.`,
    );
  }
}

/** The answer of a failure that is a status. */
export function refusalOf({ failure, body, retryAfter }: FailureOptions & { failure?: Failure }): Refusal | undefined {
  if (typeof failure !== 'number') return undefined;
  return new Refusal(failure, body ?? { detail: 'Failed on demand.' }, retryAfter);
}

function fits({ id, query = {}, body }: NonNullable<MatchOptions['when']>, call: FailingCall): boolean {
  return (
    (id === undefined || id === call.id) &&
    Object.entries(query).every(([name, value]) => call.query.get(name) === String(value)) &&
    isPartOf(body, call.body)
  );
}

function isPartOf(part: unknown, whole: unknown): boolean {
  if (part === undefined) return true;
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([name, value]) => isPartOf(value, (whole as Record<string, unknown>)[name]));
}

/** Arguments as they stand in a test. */
function written(values: unknown[], options: object = {}): string {
  const all = Object.keys(options).length > 0 ? [...values, options] : values;
  return all
    .map((value) =>
      typeof value === 'string' ? `'${value}'` : typeof value === 'number' ? value : JSON.stringify(value),
    )
    .join(', ');
}
