import { UpstreamError } from '@gateway/base';
import type { Contract, Endpoint, EndpointName } from '@gateway/contract';
import type { Dialect } from './dialect.ts';
import { noSuchResource } from './errors.ts';
import { lackingForMs } from './known-list.ts';
import { Memory } from './memory.ts';
import type { Subject } from './request.ts';

/** The service has no such endpoint. */
export class LackingEndpointError extends UpstreamError {
  constructor(rootField: string, why: string) {
    super('BAD_USER_INPUT', `\`${rootField}\`: ${why} Leave the field out.`);
  }
}

export interface RequestPathOptions {
  /** Renamed query parameters: endpoint → filter argument → parameter. */
  filters?: Partial<Record<EndpointName, Record<string, string>>> | undefined;
  /** Values of query parameters that each read sends, in place of those of the contract. An empty text sends none. */
  sends?: Readonly<Record<string, string | undefined>> | undefined;
  dialect: Dialect;
}

const none: Readonly<Record<string, string>> = {};

/** The path of an endpoint, with places for values. */
interface PathForm {
  /** Before the first place, and after each. */
  texts: readonly string[];
  /** `filter`: the argument whose value stands there. Undefined for the id. */
  places: readonly { filter?: string; pattern: RegExp }[];
  /** Names that the query leaves out: these filters, and the rows of a list without pages. */
  leftOut: ReadonlySet<string>;
  /** Filters that stand there for each of their values. */
  repeated: ReadonlySet<string>;
}

function pathFormOf({ path, idPattern, filters = {}, filterChecks = {}, unpaged }: Endpoint): PathForm {
  const texts = path.split(/\{[^}]*\}/);
  const ofPages = unpaged ? ['limit', 'offset'] : [];
  const lists = Object.entries(filterChecks).filter(([, { join }]) => join === '\n');
  const repeated = new Set(lists.flatMap(([filter, { otherName = filter }]) => [filter, otherName]));
  if (idPattern) return { texts, places: [{ pattern: new RegExp(idPattern) }], leftOut: new Set(ofPages), repeated };
  const inPath = Object.entries(filterChecks).flatMap(([filter, check]) =>
    check.inPath === undefined ? [] : { filter, pattern: new RegExp(check.inPath) },
  );
  const at = (filter: string) => path.indexOf(`{${filters[filter]}}`);
  const places = inPath.sort((one, other) => at(one.filter) - at(other.filter));
  return { texts, places, leftOut: new Set([...ofPages, ...places.map(({ filter }) => filter)]), repeated };
}

/**
 * Builds the paths of requests, below the path of the service's base URL. Knows which endpoints the service lacks, of those
 * that not every service has.
 */
export class RequestPaths {
  readonly #contract: Contract;
  readonly #basePath: string;
  readonly #options: RequestPathOptions;
  readonly #forms: ReadonlyMap<EndpointName, PathForm>;
  readonly #lacking = new Memory<LackingEndpointError>({ ttlMs: lackingForMs });

  constructor(contract: Contract, basePath: string, options: RequestPathOptions) {
    this.#contract = contract;
    this.#basePath = basePath.replace(/\/+$/, '');
    this.#options = options;
    const { endpoints } = contract.data;
    this.#forms = new Map(Object.entries(endpoints).map(([name, endpoint]) => [name, pathFormOf(endpoint)]));
  }

  /**
   * Path and query. Two reads of one caller with the same path have the same answer.
   * @throws UpstreamError NOT_FOUND for an id that the service cannot have.
   */
  of(endpoint: EndpointName, { id, query }: Subject): string {
    const form = this.#forms.get(endpoint) as PathForm;
    let path = this.#basePath + form.texts[0];
    for (const [index, { filter, pattern }] of form.places.entries()) {
      const value = String((filter === undefined ? id : query?.[filter]) ?? '');
      if (!pattern.test(value)) throw noSuchResource();
      path += encodeURIComponent(value) + form.texts[index + 1];
    }
    return path + this.#queryOf(endpoint, query, form);
  }

  /** The path, or whether there is one, depends on the dialect, which nothing has shown yet. */
  needsDialect(endpoint: EndpointName): boolean {
    if (this.#options.dialect.known) return false;
    const { dialect, sends = none } = this.#contract.endpoint(endpoint);
    return dialect !== undefined || Object.keys(sends).some((name) => this.#options.sends?.[name] === undefined);
  }

  /** Undefined where the service may have the endpoint. */
  whyLacking(endpoint: EndpointName): LackingEndpointError | undefined {
    const { dialect, rootField } = this.#contract.endpoint(endpoint);
    const { known } = this.#options.dialect;
    if (!dialect || !known) return undefined;
    if (known === dialect) return this.#lacking.get(endpoint);
    const why = `The dialect \`${known}\` of the service (UPSTREAM_DIALECT) has no endpoint for this field.`;
    return new LackingEndpointError(rootField, why);
  }

  /**
   * Takes an answer: a service without the endpoint has no such path, or other methods on it.
   * @throws LackingEndpointError for such an answer.
   */
  hear(endpoint: EndpointName, { status, isById, json }: { status: number; isById: boolean; json: unknown }): void {
    const { dialect, rootField } = this.#contract.endpoint(endpoint);
    if (!dialect) return;
    // Where there is the path, the 404 of an unknown id is JSON.
    const isUnknownPath = status === 404 && (!isById || json === undefined);
    if (status !== 405 && !isUnknownPath) return;
    const error = new LackingEndpointError(rootField, 'The service is too old to have an endpoint for this field.');
    this.#lacking.set(endpoint, error);
    throw error;
  }

  /** The filter argument that a query parameter of the service stands for. */
  argumentOf(endpoint: EndpointName, parameter: string): string {
    const { filterChecks = {} } = this.#contract.endpoint(endpoint);
    const filters = Object.entries(this.#filtersOf(endpoint));
    const known = filters.find(([filter, name]) => name === parameter || filterChecks[filter]?.otherName === parameter);
    return known ? known[0] : parameter;
  }

  #filtersOf(endpoint: EndpointName): Readonly<Record<string, string>> {
    const { filters = none } = this.#contract.endpoint(endpoint);
    const renamed = this.#options.filters?.[endpoint];
    return renamed ? { ...filters, ...renamed } : filters;
  }

  /** The query parameters of each read of the endpoint. */
  #sentBy(endpoint: EndpointName): Record<string, string> | undefined {
    const { sends } = this.#contract.endpoint(endpoint);
    if (!sends) return undefined;
    const { sends: set, dialect } = this.#options;
    const values = Object.entries(sends).flatMap(([name, byDialect]) => {
      const value = set?.[name] ?? byDialect[dialect.traits.name];
      return value ? [[name, value]] : [];
    });
    return Object.fromEntries(values);
  }

  #queryOf(endpoint: EndpointName, query: Subject['query'], { leftOut, repeated }: PathForm): string {
    const sent = this.#sentBy(endpoint);
    if (!query && !sent) return '';
    const { limit = '', offset, number, first = 1 } = this.#contract.data.wire.page;
    const names: Readonly<Record<string, string>> = {
      limit,
      offset: offset ?? number ?? '',
      ...this.#filtersOf(endpoint),
    };
    const parameters: Record<string, string | string[]> = sent ?? {};
    for (const name in query) {
      if (leftOut.has(name)) continue;
      // A page by number begins at a multiple of its size.
      const isNumber = number !== undefined && name === 'offset';
      const value = isNumber ? Number(query.offset) / Number(query.limit) + first : query[name];
      parameters[names[name] ?? name] = repeated.has(name) ? String(value).split('\n') : String(value);
    }
    let text = '';
    for (const name in parameters) {
      const value = parameters[name] ?? '';
      const values = typeof value === 'string' ? encoded(value) : value.map(encoded).join(`&${encoded(name)}=`);
      text += `${text === '' ? '?' : '&'}${encoded(name)}=${values}`;
    }
    return text;
  }
}

/** Most names and values stand in a query as they are. URLSearchParams takes three times as long to find that out. */
function encoded(text: string): string {
  return /^[\w.*-]*$/.test(text) ? text : new URLSearchParams([[text, '']]).toString().slice(0, -'='.length);
}
