import type { CostLimits, Costly, Matchers, ServiceCall } from './api.ts';

const figures = ['calls', 'ms', 'rows'] as const;

/** For `expect.extend` of Vitest, Jest and Playwright. */
export const matchers: Matchers = {
  async toCostAtMost(received, limits) {
    const calls = await callsOf(received);
    const cost = costOf(calls);
    const over = figures.filter((name) => cost[name] > (limits[name] ?? Number.POSITIVE_INFINITY));
    const pass = over.length === 0;
    return { pass, message: () => `${sentenceOf(cost, limits, over)}\n\n${tableOf(calls)}\n` };
  },
};

async function callsOf(received: Costly): Promise<ServiceCall[]> {
  const calls = Array.isArray(received) ? received : received?.calls;
  if (typeof calls === 'function') return calls();
  if (Array.isArray(calls)) return calls;
  throw new TypeError(
    'toCostAtMost takes a gateway, an answer of its graphql(), or calls. Await a promise of one first.',
  );
}

function costOf(calls: ServiceCall[]): Required<CostLimits> {
  const sumOf = (figure: 'ms' | 'rows') => calls.reduce((sum, call) => sum + call[figure], 0);
  return { calls: calls.length, ms: sumOf('ms'), rows: sumOf('rows') };
}

function sentenceOf(cost: Required<CostLimits>, limits: CostLimits, over: readonly (keyof CostLimits)[]): string {
  const shown = figures.filter((name) => limits[name] !== undefined);
  const list = (of: CostLimits, names: readonly (keyof CostLimits)[]) =>
    names.map((name) => textOf(name, of[name] as number)).join(', ');
  const found = `This costs the service ${list(cost, shown)}`;
  return over.length > 0
    ? `${found}: more than ${list(limits, over)}.`
    : `${found}: no more than ${list(limits, shown)}.`;
}

function textOf(name: keyof CostLimits, amount: number): string {
  return name === 'ms' ? `${rounded(amount)} ms` : `${amount} ${amount === 1 ? name.slice(0, -1) : name}`;
}

/** One line for each call. */
function tableOf(calls: ServiceCall[]): string {
  if (calls.length === 0) return 'No call reached the service.';
  const lines = calls.map(({ endpoint, status, rows, ms, reason, fields }) => [
    endpoint,
    status === null ? 'no answer' : String(status),
    String(rows),
    String(rounded(ms)),
    reason,
    fields.join(', '),
  ]);
  const table = [['call', 'status', 'rows', 'ms', 'reason', 'asked for by'], ...lines];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  const isNumber = (column: number) => column >= 1 && column <= 3;
  return table
    .map((line) =>
      line
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
