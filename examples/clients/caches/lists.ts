/** An object that a write has made, as its mutation answers it. */
export interface Row {
  __typename?: string;
  id: string;
  [field: string]: unknown;
}

export type Args = Readonly<Record<string, unknown>>;

export interface ListRule {
  /** The field of Query. */
  field: string;
  /** The end at which the service lists new rows. */
  newest: 'first' | 'last';
  /** Fields that the answer of a mutation needs for these rules. */
  reads: readonly string[];
  /** Whether any list has the row. By default each does. */
  isListed?: (row: Row) => boolean;
  /** For each argument, whether a list with that argument has the row. `entity`, `product` and `parent` also stand for the object whose field the list is. */
  filters: Record<string, (row: Row, value: unknown) => boolean>;
  /** Whether a list has the row, by the rows that it has. By default each list does. */
  isBeside?: (row: Row, read: (field: 'entity_id') => unknown[]) => boolean;
  /** Lists that are fields of other objects. Each object stands for the arguments `of`. */
  backFields?: (row: Row) => [key: string, field: string, of: Args][];
  /** Ids of other rows that the write takes from a list with these arguments. */
  removed?: (row: Row, args: Args) => string[];
}

const contains = (field: string) => (row: Row, part: unknown) =>
  String(row[field] ?? '')
    .toLowerCase()
    .includes(String(part).toLowerCase());

const equals = (field: string) => (row: Row, value: unknown) => row[field] === value;

const isLeft = ({ current_quantity }: Row) => Number(current_quantity) > 0;

const parentsOf = ({ parents }: Row) => (Array.isArray(parents) ? (parents as Row[]) : []);

const isParty = ({ source_id, destination_id }: Row, id: unknown) => source_id === id || destination_id === id;

/** The lists of the source and the destination, each of which is a farmer or a company. */
const ofParties = ({ source_id, destination_id }: Row, field: string) =>
  [source_id, destination_id].flatMap((entity): [string, string, Args][] =>
    entity === undefined
      ? []
      : [
          [`Farmer:${entity}`, field, { entity }],
          [`Company:${entity}`, field, { entity }],
        ],
  );

const ofProduct = ({ product_id: product }: Row): [string, string, Args][] =>
  product === undefined ? [] : [[`Product:${product}`, 'productTransactions', { product }]];

/** The lists of the schema that grow by writes, by the type of their rows. */
export const lists: Readonly<Record<string, ListRule>> = {
  Farmer: {
    field: 'farmers',
    newest: 'last',
    reads: ['first_name', 'last_name', 'number', 'reference_number', 'buyer_id'],
    filters: {
      first_name: contains('first_name'),
      last_name: contains('last_name'),
      number: contains('number'),
      reference_number: equals('reference_number'),
      entity: equals('buyer_id'),
    },
  },
  ProductTransaction: {
    field: 'productTransactions',
    newest: 'first',
    reads: ['created_on', 'type', 'current_quantity', 'source_id', 'destination_id', 'product_id'],
    filters: {
      entity: isParty,
      product: equals('product_id'),
      parent: (row, id) => parentsOf(row).some((parent) => parent.id === id),
      quantity_available: (row, wanted) => !wanted || (row.type === 'INCOMING' && isLeft(row)),
    },
    // The parents leave the available goods of their own source, too.
    backFields: (row) => [
      ...[row, ...parentsOf(row)].flatMap((each) => [...ofParties(each, 'productTransactions'), ...ofProduct(each)]),
      ...parentsOf(row).map(({ id }): [string, string, Args] => [
        `ProductTransaction:${id}`,
        'children',
        { parent: id },
      ]),
    ],
    // A transaction takes the goods of its parents.
    removed: (row, { quantity_available: wanted }) =>
      wanted
        ? parentsOf(row)
            .filter((parent) => !isLeft(parent))
            .map(({ id }) => id)
        : [],
  },
  PaymentTransaction: {
    field: 'paymentTransactions',
    newest: 'first',
    reads: ['created_on', 'payment_type', 'source_id', 'destination_id'],
    backFields: (row) => ofParties(row, 'paymentTransactions'),
    // Real services list no other payments. The sandbox does, unless it starts with SANDBOX_DIALECT=connect.
    isListed: ({ payment_type }) => payment_type === 'PREMIUM',
    filters: { entity: isParty, payment_type: equals('payment_type') },
  },
  EntityCard: {
    field: 'entityCards',
    newest: 'first',
    reads: ['created_on', 'entity_id'],
    filters: {},
    // Real services list the assignments of the active company alone, the sandbox those of its farmers too.
    isBeside: ({ entity_id }, read) => {
      const holders = new Set(read('entity_id'));
      return holders.size > 1 || holders.has(entity_id);
    },
  },
};

const pageArgs = new Set(['first', 'after', 'last', 'before', 'limit', 'offset']);

/** An argument without a rule, such as a time, leaves a list as it is. */
function belongs({ isListed, filters }: ListRule, row: Row, args: Args): boolean {
  if (isListed?.(row) === false) return false;
  return Object.entries(args).every(
    ([name, value]) => pageArgs.has(name) || value == null || value === '' || filters[name]?.(row, value),
  );
}

/** A list as a cache has it: pages by cursor, joined to `edges`, or a page of `results`. */
export interface CachedList<Node> {
  count?: number;
  edges?: readonly { node: Node }[];
  results?: readonly Node[];
  pageInfo?: { hasNextPage?: boolean };
}

export interface Created {
  row: Row;
  rule: ListRule;
}

/** How a cache names the new row, and reads the rows that it has. */
export interface CacheAccess<Node> {
  node: Node;
  read(node: Node, field: 'id' | 'created_on' | 'entity_id'): unknown;
}

/** The list after a write. Undefined for a page by offset whose rows have moved to or from other pages: the cache must drop it. */
export function afterWrite<Node, List extends CachedList<Node>>(
  { row, rule }: Created,
  args: Args,
  list: List,
  { node, read }: CacheAccess<Node>,
): List | undefined {
  const { count, edges = [], results, pageInfo } = list;
  const byResults = results !== undefined && edges.length === 0;
  const isPage = byResults || args.limit != null || args.offset != null;
  const nodes = byResults ? results : edges.map((edge) => edge.node);
  const removed = rule.removed?.(row, args) ?? [];
  const left = nodes.filter((other) => !removed.includes(String(read(other, 'id'))));
  const isBeside = rule.isBeside?.(row, (field) => nodes.map((other) => read(other, field))) ?? true;
  const isNew = belongs(rule, row, args) && isBeside && !nodes.some((other) => read(other, 'id') === row.id);
  const offset = Number(args.offset ?? 0);
  // A list without a count, such as a way back, may have rows behind a full page.
  const mayGoOn = isPage && nodes.length >= Number(args.limit ?? usualLimit);
  const isLast = count === undefined ? !mayGoOn : offset + nodes.length >= count;
  const movesDown = isNew && rule.newest === 'first' && offset > 0;
  const movesUp = (count === undefined ? left.length < nodes.length : removed.length > 0) && !(offset === 0 && isLast);
  if (isPage && (movesDown || movesUp)) return undefined;

  const hasMore = isPage ? !isLast : (pageInfo?.hasNextPage ?? !isLast);
  const times = left.map((other) => timeOf(read(other, 'created_on')));
  const index = rule.newest === 'first' ? times.findIndex((time) => !(time > timeOf(row.created_on))) : -1;
  // A place behind the last loaded row is on the next page, if there is one.
  const place = index < 0 && !hasMore ? left.length : index;
  const placed = isNew && place >= 0 ? left.toSpliced(place, 0, node) : left;
  const shown = isPage ? placed.slice(0, Number(args.limit ?? placed.length)) : placed;
  const grown = left.length - nodes.length + (isNew ? 1 : 0);
  const changed = { ...list, ...(count !== undefined && { count: count + grown }) };
  if (byResults) return { ...changed, results: shown };
  if (!list.edges) return changed;
  const edgeOf = new Map(edges.map((edge) => [edge.node, edge]));
  const newEdge = { __typename: `${row.__typename}Edge`, node };
  return { ...changed, edges: shown.map((other) => edgeOf.get(other) ?? newEdge) };
}

/** Rows of a list without `limit` or `first`. */
const usualLimit = 20;

const timeOf = (text: unknown) => Date.parse(String(text));

/**
 * Finds the rows that mutations have created, each once. An answer that comes twice under one Idempotency-Key must not
 * count twice. A write that is refused, or of unknown outcome, has no object.
 */
export function createdRows() {
  const known = new Set<string>();
  return (answer: object | null | undefined): Created[] =>
    Object.entries(answer ?? {})
      .flatMap(([field, value]) => {
        if (field === 'push') return value?.map(({ object }: { object?: Row | null }) => object);
        return field.startsWith('create') ? [value] : [];
      })
      .flatMap((row: Row | null | undefined) => {
        const rule = row && lists[row.__typename ?? ''];
        const key = `${row?.__typename}:${row?.id}`;
        if (!rule || known.has(key)) return [];
        if (!isTemporary(row.id)) known.add(key);
        return [{ row, rule }];
      });
}

/** The id of a row that a page shows before the service has answered. */
export const temporaryId = () => `temporary:${crypto.randomUUID()}`;
const isTemporary = (id: string) => id.startsWith('temporary:');
