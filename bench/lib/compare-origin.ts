import type { Pace } from '../../packages/sandbox/framework/options.ts';
import { type PacedService, startPacedService } from './paced-service.ts';
import { startPlanningGateway } from './planning-gateway.ts';
import { short, table } from './tables.ts';
import { call } from './trading-world.ts';

const generations = 4;
const lotsEach = 10;
/** The most for the gateway, as a multiple of the reads by hand. */
const most = 1.1;

const list = '/transactions/product-transactions/';

interface Lot {
  id: string;
  parents: string[];
}

/**
 * Compares the origin of a purchase with reads by hand: each generation at once, one GET for each lot.
 * Returns a sentence where the bar is missed.
 */
export async function compareOrigin(name: string, pace: Pace, repeatMs: number): Promise<string[]> {
  const service = await startPacedService({ hasTrade: false });
  const gateway = await startPlanningGateway(service, 'gateway', pace);
  const lot = await addLots(service.url);
  const document = `{ productTransaction(id: "${lot}") { origin {
    lots { transaction_id depth parents transaction { quantity product_id } } sources { entity_id lots quantity } complete } } }`;
  const read = async () => {
    await service.start(pace);
    return readGenerations(service, lot);
  };
  const ask = async () => {
    const { answer, ...run } = await gateway.run(document, pace);
    const { lots, complete } = JSON.parse(answer).data.productTransaction.origin;
    return { ...run, calls: run.calls.length, lots: complete ? lots.length : 0 };
  };
  // The first runs teach the gateway what calls cost.
  for (const each of [read, ask]) await each();
  let [byHand, traced] = [await read(), await ask()];
  for (let spent = byHand.ms + traced.ms; spent < repeatMs; ) {
    const [nextByHand, nextTraced] = [await read(), await ask()];
    spent += nextByHand.ms + nextTraced.ms;
    if (nextByHand.ms < byHand.ms) byHand = nextByHand;
    if (nextTraced.ms < traced.ms) traced = nextTraced;
  }
  if (byHand.lots !== 1 + generations * lotsEach || traced.lots !== byHand.lots) {
    throw new Error(`The reads by hand find ${byHand.lots} lots, and the gateway ${traced.lots}.`);
  }
  await gateway.close();
  await service.close();

  const operation = `origin of ${generations * lotsEach} lots in ${generations} generations`;
  const ratio = traced.ms / byHand.ms;
  const figures = [byHand, traced].map(({ calls, ms, work }) => [calls, short(ms), short(work)].join(' / '));
  const headings = [`${name}: calls / ms / work`, 'by hand', 'derived', 'ms ×'];
  console.log(`${table(headings, [[operation, ...figures, ratio.toFixed(2)]])}\n`);
  return ratio > most ? [`${name}, ${operation}: ${ratio.toFixed(2)} times the ms of the reads by hand.`] : [];
}

/** Adds a purchase with ancestors to the service, and returns its id. Each lot has two parents, which it shares. */
async function addLots(url: string): Promise<string> {
  const [seeded] = (await call<{ results: Record<string, unknown>[] }>(`${url}${list}?limit=1`)).results;
  const { source, destination, product, currency } = seeded ?? {};
  const add = async (parents: string[]) =>
    (
      await call<Lot>(url + list, {
        source,
        destination,
        product,
        currency,
        parents,
        quantity: '4.000',
        amount: '12.500',
      })
    ).id;
  let older: string[] = [];
  for (let generation = 0; generation < generations; generation++) {
    const lots: string[] = [];
    for (let n = 0; n < lotsEach; n++) lots.push(await add([n, n + 1].flatMap((at) => older[at % lotsEach] ?? [])));
    older = lots;
  }
  return add(older);
}

async function readGenerations(service: PacedService, id: string) {
  const startedAt = performance.now();
  const seen = new Set([id]);
  for (let wave = [id]; wave.length > 0; ) {
    const lots = await Promise.all(wave.map((each) => call<Lot>(`${service.url}${list}${each}/`)));
    wave = [...new Set(lots.flatMap(({ parents }) => parents))].filter((each) => !seen.has(each));
    for (const each of wave) seen.add(each);
  }
  const ms = performance.now() - startedAt;
  const calls = await service.calls();
  const work = calls.reduce((sum, { workMs = 0 }) => sum + workMs, 0);
  return { ms, work, calls: calls.length, lots: seen.size };
}
