import { type AnswerLimit, type Field, type Histogram, type Json, madeOnce } from '@gateway/base';
import type { Contract, Kind, ListEndpointName, Reference, Target } from '@gateway/contract';
import { type CallerKnowledge, type CallOrigin, noSuchResource, pageSize } from '@gateway/upstream';
import { type BatchSizes, type Loader, loadTogether } from './batch.ts';
import { byIdLoader, getOf, type KindSource, listOnlyLoader, type ObjectKey, unresolved } from './by-id.ts';
import { IdentityMap, type Known } from './identity-map.ts';
import { type Filters, noFilters } from './lists/filters.ts';
import { type FieldsOf, IdSearch } from './lists/id-search.ts';
import type { ListReader } from './lists/list-reader.ts';
import { freeParallelism, Lists } from './lists/lists.ts';
import { Look } from './lists/look.ts';
import { type FoundRows, RowSearch, type Sought } from './lists/row-search.ts';
import type { Reader } from './reader.ts';
import { RowWork } from './row-work.ts';

/**
 * Objects or values that a place of the operation shows, by id, or the errors of their loads. All that the place selects in
 * them is loaded too. The entry of a load in progress is undefined.
 */
export type Loaded<Place, Value> = Map<Place, Map<string, Value | Error | undefined>>;

/** A reference at a place of the operation. */
export interface PlacedReference {
  /** `Type.field` */
  name: string;
  reference: Reference;
  /** Rows usually embed the object, so that no call loads it. */
  isEmbedded: boolean;
}

/**
 * All that one request has read, and the DataLoaders that read more. Each request has its own, and each write starts new
 * ones, because a write may change what was read before.
 */
export class Loaders {
  readonly reader: Reader;
  readonly seen: IdentityMap;
  /** By the plan of the place. */
  readonly references: Loaded<object, Json> = new Map();
  readonly derived: Loaded<Field, object> = new Map();
  /** Rows with what a GET by id shows beside them, or the error of the GET. */
  readonly wholes = new Map<Json, Json | Error>();
  readonly contract: Contract;
  readonly work = new RowWork();
  readonly #batches: Histogram<'loader'>;
  readonly #answer: AnswerLimit;
  /** Objects that derived fields have made. */
  #made = 0;
  readonly #byTarget = new Map<Target, Loader<ObjectKey, Known>>();
  readonly #listOnly = new Map<Kind, Loader<string, Known>>();
  readonly #sources = new Map<Kind, KindSource>();
  readonly #looks = new Map<ListReader, Look>();
  readonly #searches = new Map<Look, Loader<Sought, FoundRows>>();
  /** Fields whose lists this request may need. */
  readonly #asked = new Set<string>();
  /** The fields that need an object, by its id space and id. Undefined where no trace explains the calls. */
  readonly neededBy: Map<string, Set<string>> | undefined;
  /** Free parallelism of the service, before the calls of this request. */
  readonly #parallelism: number;
  #lists: Lists | undefined;
  #uncachedLists: Lists | undefined;
  #knowledge: CallerKnowledge | undefined;

  constructor(reader: Reader, batches: Histogram<'loader'>, answer: AnswerLimit) {
    this.reader = reader;
    this.#batches = batches;
    this.#answer = answer;
    this.contract = reader.contract;
    this.seen = new IdentityMap(reader.contract, this);
    this.#parallelism = freeParallelism(reader.costs);
    this.neededBy = reader.observer ? new Map() : undefined;
  }

  get lists(): Lists {
    this.#lists ??= new Lists(this.reader, this, this.#sizesOf('ranges'), this.#parallelism);
    return this.#lists;
  }

  /** Begins to read lists that objects with this selection probably need, while the objects are on their way. */
  expect({ references }: { references: readonly (PlacedReference & { plan: { needsNothing: boolean } })[] }): void {
    for (const { name, reference, isEmbedded, plan } of references) {
      const { to, loadAfter } = reference;
      // Other answers often embed the object.
      const isOnItsWay = isEmbedded || loadAfter !== undefined;
      if (!this.contract.isListOnly(to) || plan.needsNothing || isOnItsWay || this.#asked.has(name)) continue;
      this.#asked.add(name);
      if (!this.#earlyLists.ask(name)) continue;
      const origin: CallOrigin = { reason: 'list scan', fields: () => [name] };
      // The scan that needs the page gets its error.
      const list = this.lists.of(this.contract.listEndpoint(to));
      list.range({ offset: 0, limit: pageSize }, { origin }).catch(() => {});
    }
  }

  /**
   * The whole object, from the cheapest source. Rejects if the service does not give it.
   * `field`: the field of the operation that needs the object. `reference`: the reference of a row, unless a client sent the id.
   */
  load(target: Target, id: string, field: string, reference?: Reference): Promise<Known> {
    const { contract } = this;
    if (!contract.isPossibleId(id, target)) {
      return Promise.reject(contract.isListOnly(target) ? unresolved(target, id) : noSuchResource());
    }
    this.#noteNeed(target, id, field);
    if (this.#asked.delete(field)) this.#earlyLists.need(field);
    if (contract.unionWith(target)) this.seen.suppose(id, target);
    if (contract.union(target) || contract.isById(target)) return this.#loader(target).load({ id, reference });
    if (contract.isListOnly(target)) return this.#listOnlyLoader(target).load(id);
    return Promise.reject(unresolved(target, id));
  }

  /** The service may give objects of this kind by their ids. */
  givesById(target: Target): boolean {
    return this.contract.isById(target) && this.reader.mayHave(this.contract.getEndpoint(target));
  }

  /** The newest rows of a list that refer to the object. Rejects if the service does not give them. */
  loadRows(filters: Filters, sought: Sought): Promise<FoundRows> {
    const look = this.look(sought.way.list, filters);
    return madeOnce(this.#searches, look, () => this.#newRowSearch(look)).load(sought);
  }

  /** The look through a list that all fields of the operation share. */
  look(endpoint: ListEndpointName, filters: Filters = noFilters, lists = this.lists): Look {
    const list = lists.of(endpoint, filters);
    return madeOnce(this.#looks, list, () => new Look(list, this.work));
  }

  /**
   * Counts objects that a derived field makes of what was read. Few rows can stand for very many of them.
   * @throws QUERY_TOO_COMPLEX where they do not fit into one answer, whether the operation shows them or not.
   */
  make(objects: number): void {
    this.#made += objects;
    this.#answer.requireRoomFor(this.#made);
  }

  #newRowSearch(look: Look): Loader<Sought, FoundRows> {
    const search = new RowSearch(look);
    return loadTogether(
      (sought) => search.find(sought),
      this.#sizesOf('rows'),
      ({ way: { of, where, kind }, id, limit }) => JSON.stringify([of, where, kind, id, limit]),
    );
  }

  #sizesOf(loader: string): BatchSizes {
    return this.#batches.of({ loader });
  }

  #noteNeed(target: Target, id: string, field: string): void {
    if (!this.neededBy) return;
    const name = `${this.contract.tables(target).idSpace} ${id}`;
    madeOnce(this.neededBy, name, () => new Set()).add(field);
  }

  /** The fields that need the objects of these ids. The kinds of a union share them. */
  #fieldsOf(target: Target): FieldsOf {
    const needed = this.neededBy;
    if (!needed) return noFields;
    const { idSpace } = this.contract.tables(target);
    return (ids) => [...new Set(ids.flatMap((id) => [...(needed.get(`${idSpace} ${id}`) ?? [])]))];
  }

  /** The knowledge of the caller, from before the reads of this request. A later write makes their misses worthless. */
  get knowledge(): CallerKnowledge {
    this.#knowledge ??= this.reader.knowledge();
    return this.#knowledge;
  }

  get #earlyLists() {
    return this.knowledge.service.earlyLists;
  }

  /** The lists as the service gives them now, for objects that cached pages lack. */
  get uncachedLists(): Lists {
    this.#uncachedLists ??= new Lists(this.reader.with({ isFresh: true }), this, this.#sizesOf('ranges'));
    return this.#uncachedLists;
  }

  #loader(target: Target): Loader<ObjectKey, Known> {
    return madeOnce(this.#byTarget, target, () => {
      const kinds = this.contract.union(target)?.kinds ?? [target];
      const sources = new Map(kinds.map((kind) => [kind, this.#sourceOf(kind)]));
      return byIdLoader(target, sources, this.seen, this.#fieldsOf(target), this.#sizesOf(target));
    });
  }

  #listOnlyLoader(kind: Kind): Loader<string, Known> {
    return madeOnce(this.#listOnly, kind, () => {
      const search = this.#newSearch(kind, this.lists);
      const newUncached = () => this.#newSearch(kind, this.uncachedLists);
      return listOnlyLoader(kind, search, newUncached, this.seen, this.#fieldsOf(kind), this.#sizesOf(kind));
    });
  }

  /** The GETs and the list of a kind, shared by references to it and to a union with it. */
  #sourceOf(kind: Kind): KindSource {
    if (this.contract.isListOnly(kind)) return { get: (id) => this.#listOnlyLoader(kind).load(id) };
    return madeOnce(this.#sources, kind, () => {
      const get = getOf(kind, this.reader, this.seen, this.#fieldsOf(kind));
      if (!this.contract.isListed(kind)) return { get };
      const { costs } = this.reader;
      const endpoint = this.contract.getEndpoint(kind);
      const { callMs } = costs.of(endpoint);
      let search: IdSearch | undefined;
      return {
        get,
        shouldMeasure: (gets) => gets < this.reader.budget.left && costs.shouldMeasure?.(endpoint) === true,
        search: () => {
          search ??= this.#newSearch(kind, this.lists, callMs);
          return search;
        },
      };
    });
  }

  #newSearch(kind: Kind, lists: Lists, getMs?: number): IdSearch {
    return new IdSearch(lists.of(this.contract.listEndpoint(kind)), this.seen, getMs);
  }
}

/** The object of a client's answer if the gateway knows its id alone. */
export function bareObject(contract: Contract, target: Target, id: string): Json {
  return { __typename: contract.union(target)?.unknown ?? target, id };
}

const noFields: FieldsOf = () => [];
