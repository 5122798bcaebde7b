import {
  type Metric,
  type Operation,
  readCounter,
  readGauge,
  type Sample,
  type ValidDocument,
  type Variables,
} from '@gateway/base';
import type { CurrentRequest, RequestObserver } from '@gateway/graphql-serve';
import { type GraphQLInputType, type GraphQLSchema, isInputType, typeFromAST } from 'graphql';
import { canHave, elementsIn, elementsOf, elementsOfValue, endOfDay, removalDay } from './elements.ts';

/** Clients choose their names freely: the names of these count, and all others are `other`. */
const maxClients = 50;
/** Combinations of element, client and document. Beyond them, client and document are `other`. */
const maxSeries = 2_000;
/** Documents whose counts wait for the next scrape. */
const maxPending = 1_000;

/** The counted elements that one operation uses. */
interface OperationElements {
  /** Those that its document names. */
  named: ReadonlySet<string>;
  /** The variables whose values can have others. */
  variables: readonly { name: string; type: GraphQLInputType }[];
}

interface Uses {
  count: number;
  lastMs: number;
}

interface PendingUses {
  /** The id of the trusted document. */
  document: string;
  byClient: Map<string, Uses>;
}

export interface ElementUsesOptions {
  schema: GraphQLSchema;
  counted: 'deprecated' | 'all';
  /** The id of a trusted document. */
  idOf(document: ValidDocument): string | undefined;
}

const none: ReadonlySet<string> = new Set();
const nothing: OperationElements = { named: none, variables: [] };

/**
 * Counts the uses of schema elements by client and by trusted document. The elements of a document are found once; a request
 * adds one to a number. An answer without data counts for nothing, so that only clients that the service accepts take a name.
 */
export class ElementUses implements RequestObserver {
  /** For `/metrics`, in the order in which a scrape shows them. */
  readonly metrics: readonly Metric[];
  readonly #schema: GraphQLSchema;
  readonly #idOf: ElementUsesOptions['idOf'];
  /** Each coordinate by itself, so that all sets share one text. */
  readonly #counted: ReadonlyMap<string, string>;
  /** A document without one of these names uses none of the elements. */
  readonly #names: RegExp | undefined;
  readonly #operations = new WeakMap<Operation, OperationElements>();
  readonly #clients = new Set<string>();
  readonly #pending = new Map<ReadonlySet<string>, PendingUses>();
  readonly #series = new Map<string, Uses & Pick<Sample, 'labels'>>();

  constructor({ schema, counted, idOf }: ElementUsesOptions) {
    this.#schema = schema;
    this.#idOf = idOf;
    const elements = elementsOf(schema);
    const deprecated = [...elements].filter(([, reason]) => reason !== undefined);
    const coordinates = counted === 'all' ? [...elements.keys()] : deprecated.map(([coordinate]) => coordinate);
    this.#counted = new Map(coordinates.map((coordinate) => [coordinate, coordinate]));
    const names = new Set(coordinates.map((coordinate) => /\w+(?=:?\)?$)/.exec(coordinate)?.[0]));
    this.#names = counted === 'all' ? undefined : new RegExp(`\\b(?:${[...names].join('|') || '(?!)'})\\b`);
    const sinceSeconds = Date.now() / 1000;
    this.metrics = [
      readCounter('element_uses_total', 'Operations that used a schema element.', () =>
        this.#samples(({ count }) => count),
      ),
      readGauge('element_last_used_timestamp_seconds', 'The last of these operations.', 'max', () =>
        this.#samples(({ lastMs }) => lastMs / 1000),
      ),
      readGauge('element_counted_since_timestamp_seconds', 'The begin of the counts.', 'max', () =>
        deprecated.map(([element]) => ({ labels: { element }, value: sinceSeconds })),
      ),
      readGauge('element_removal_timestamp_seconds', 'The end of the day after which it may go.', 'max', () =>
        deprecated.flatMap(([element, reason]) => {
          const day = removalDay(reason);
          return day ? [{ labels: { element }, value: endOfDay(day).getTime() / 1000 }] : [];
        }),
      ),
    ];
  }

  end({ asked, hasData, client }: CurrentRequest): void {
    if (!asked || !hasData) return;
    const { operation, variables } = asked;
    let elements = this.#operations.get(operation);
    if (!elements) {
      elements = this.#elementsOf(operation);
      this.#operations.set(operation, elements);
    }
    if (elements === nothing) return;
    const lastMs = Date.now();
    const { named } = elements;
    const name = this.#nameOf(client.name);
    let pending = this.#pending.get(named);
    if (!pending) {
      if (this.#pending.size >= maxPending) this.#addPending();
      const id =
        this.#idOf(operation.document)
          ?.slice(0, 100)
          .replace(/["\\\n]/g, '_') ?? 'none';
      pending = { document: id, byClient: new Map() };
      this.#pending.set(named, pending);
    }
    addTo(pending.byClient, name, { count: 1, lastMs });
    for (const element of this.#inVariables(elements, variables)) {
      if (!named.has(element)) this.#add(element, name, pending.document, { count: 1, lastMs });
    }
  }

  endBatch(request: CurrentRequest): void {
    this.end(request);
  }

  #elementsOf({ document, definition }: Operation): OperationElements {
    const text = document.node.loc?.source.body;
    const isNamed = !this.#names || text === undefined || this.#names.test(text);
    // Pending uses are found by this set, so that no two operations share one.
    const named = this.#countedOf(isNamed ? elementsIn(this.#schema, document.node) : []);
    const variables = (definition.variableDefinitions ?? []).flatMap(({ variable, type: node }) => {
      const type = typeFromAST(this.#schema, node);
      return isInputType(type) && canHave(type, this.#counted) ? [{ name: variable.name.value, type }] : [];
    });
    return named.size === 0 && variables.length === 0 ? nothing : { named, variables };
  }

  #inVariables({ variables }: OperationElements, values: Variables): ReadonlySet<string> {
    if (variables.length === 0) return none;
    const found = new Set<string>();
    for (const { name, type } of variables) elementsOfValue(type, values[name], found);
    return this.#countedOf(found);
  }

  #countedOf(coordinates: Iterable<string>): ReadonlySet<string> {
    const counted = new Set<string>();
    for (const coordinate of coordinates) {
      const own = this.#counted.get(coordinate);
      if (own !== undefined) counted.add(own);
    }
    return counted;
  }

  #nameOf(name = 'unnamed'): string {
    if (this.#clients.size < maxClients) this.#clients.add(name);
    return this.#clients.has(name) ? name : 'other';
  }

  #addPending(): void {
    for (const [elements, { document, byClient }] of this.#pending) {
      for (const [client, uses] of byClient) for (const element of elements) this.#add(element, client, document, uses);
    }
    this.#pending.clear();
  }

  #add(element: string, client: string, document: string, { count, lastMs }: Uses): void {
    const key = `${element}\n${document}\n${client}`;
    const series = this.#series.get(key);
    if (series) {
      series.count += count;
      series.lastMs = Math.max(series.lastMs, lastMs);
    } else if (this.#series.size < maxSeries || (client === 'other' && document === 'other')) {
      this.#series.set(key, { labels: { element, client, document }, count, lastMs });
    } else this.#add(element, 'other', 'other', { count, lastMs });
  }

  #samples(read: (uses: Uses) => number): Sample[] {
    this.#addPending();
    return [...this.#series.values()].map((series) => ({ labels: series.labels, value: read(series) }));
  }
}

function addTo(byClient: Map<string, Uses>, client: string, { count, lastMs }: Uses): void {
  const uses = byClient.get(client);
  if (!uses) byClient.set(client, { count, lastMs });
  else {
    uses.count += count;
    uses.lastMs = lastMs;
  }
}
