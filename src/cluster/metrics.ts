import type { Worker } from 'node:cluster';

/** A worker is asked for the metrics of all; only the primary process reaches the others. */
type FromWorker = { scrape: string };
/** Without a text where some worker does not answer. */
type ToWorker = { scraped: string; text?: string };

/** In the primary process: has a worker answer for all of them. */
export function answerScrapes(worker: Worker, ofAllWorkers: () => Promise<string>): void {
  worker.on('message', async (message: FromWorker) => {
    if (!('scrape' in message)) return;
    const text = await ofAllWorkers().catch(() => undefined);
    worker.send({ scraped: message.scrape, ...(text !== undefined && { text }) } satisfies ToWorker, () => {});
  });
}

let underWay: Promise<string> | undefined;

/** In a worker: the metrics of all. Whoever asks meanwhile gets the same, for each scrape makes its way through all workers. */
export function scrapeWorkers(): Promise<string> {
  underWay ??= scrape().finally(() => {
    underWay = undefined;
  });
  return underWay;
}

function scrape(): Promise<string> {
  const token = crypto.randomUUID();
  return new Promise((resolve, reject) => {
    const hear = (message: ToWorker) => {
      if (message.scraped !== token) return;
      process.off('message', hear);
      if (message.text === undefined) reject(new Error('A worker does not answer.'));
      else resolve(message.text);
    };
    process.on('message', hear);
    process.send?.({ scrape: token } satisfies FromWorker, () => {});
  });
}
