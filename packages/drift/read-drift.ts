import { readMetrics, samplesOf } from '@gateway/base';
import type { Contract, DialectName } from '@gateway/contract';

/** A field that answers have differently than the contract says. */
export interface Difference {
  /** The schema that lacks it. */
  place: string;
  field: string;
  /** A word of `x-dialects`: `absent`, a type, or a value of an enum. */
  word: string;
}

export interface Drift {
  dialect: DialectName;
  differences: Difference[];
  /** Fields without a place in this contract, as the metric names them. */
  unnamed: string[];
}

/**
 * The drift that a running gateway has counted.
 * @throws Error that names the place, where there are no metrics of a gateway.
 * @throws Error that names the setting, where the gateway speaks another dialect than the service.
 */
export async function readDrift(from: string, contract: Contract): Promise<Drift> {
  const text = await readMetrics(from);
  const dialects = samplesOf(text, 'gateway_upstream_dialect').map(({ labels }) => labels);
  if (dialects.length === 0) throw new Error(`${from}: There is no metric gateway_upstream_dialect.`);
  const wrong = dialects.find(({ used, seen }) => seen !== 'unknown' && seen !== used);
  if (wrong) {
    const message = `The gateway speaks ${wrong.used}, but the service answers in ${wrong.seen}`;
    throw new Error(`${from}: ${message}; set UPSTREAM_DIALECT=${wrong.seen} first.`);
  }
  const supposed = contract.dialect().name;
  const unnamed = new Set<string>();
  const found = new Map<string, Difference>();
  for (const { labels } of samplesOf(text, 'gateway_upstream_drift_total')) {
    const { endpoint = '', field = '', seen = '' } = labels;
    const difference = placed(contract, endpoint, field, seen);
    if (difference) found.set(Object.values(difference).join(' '), difference);
    else unnamed.add(`${endpoint} ${field}`);
  }
  return {
    dialect: dialects.find(({ used }) => used !== supposed && contract.dialect(used).name === used)?.used ?? supposed,
    differences: [...found.values()],
    unnamed: [...unnamed],
  };
}

/** Follows a path such as `results[].card.colour` through the schemas. */
function placed({ data }: Contract, endpoint: string, path: string, seen: string): Difference | undefined {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let place: string | undefined = data.endpoints[endpoint]?.response;
  for (const step of steps) place = data.shapes[place ?? '']?.[nameIn(step)]?.replaceAll('[]', '');
  const shape = data.shapes[place ?? ''];
  const field = nameIn(last);
  // Drift of fields without a name is counted as `other`.
  if (!place || !shape || (last === 'other' && !shape.other)) return undefined;
  return { place, field, word: seen + last.slice(field.length) };
}

const nameIn = (step: string) => step.replaceAll('[]', '');
