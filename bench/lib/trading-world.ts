/** Ids of rows that operations name. */
export interface Samples {
  /** Newest first. */
  transactions: string[];
  payments: string[];
  farmers: string[];
  companies: string[];
  users: string[];
}

export const noTrade: Samples = { transactions: [], payments: [], farmers: [], companies: [], users: [] };

interface Row {
  id: string;
  [field: string]: unknown;
}

/**
 * Adds users, companies, farmers, transactions and payments to a sandbox: the same ones each time. A list of any kind is
 * several pages long then, and its rows refer to many others.
 */
export async function addTrade(url: string): Promise<Samples> {
  const post = (path: string, body: object) => call<Row>(url + path, body);
  const list = async (path: string) => (await call<{ results: Row[] }>(`${url + path}?limit=100`)).results;
  const random = randomNumbers(2_026);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const idsOf = (rows: Row[]) => rows.map(({ id }) => id);
  const many = async (count: number, add: (n: number) => Promise<Row>) => {
    const rows: Row[] = [];
    for (let n = 0; n < count; n++) rows.push(await add(n));
    return rows;
  };
  const products = idsOf(await list('/catalogs/products/'));
  const currencies = idsOf(await list('/catalogs/currencies/'));
  const premium = (await post('/catalogs/premiums/', { name: 'Bench premium' })).id;
  const coop = (await list('/transactions/product-transactions/')).find(({ type }) => type === 'OUTGOING')?.source;

  const members = await many(60, (n) =>
    post('/supply-chains/company-members/', {
      company: coop,
      user: { first_name: `User ${n}`, last_name: 'Mensah', email: `user${n}@bench.example` },
    }),
  );
  const users = members.map(({ user }) => (user as Row).id);
  const companies = idsOf(
    await many(120, (n) =>
      post('/supply-chains/companies/', { name: `Company ${n}`, currency: pick(currencies), creator: pick(users) }),
    ),
  );
  const farmers = idsOf(
    await many(300, (n) =>
      post('/supply-chains/farmers/', { first_name: `Farmer ${n}`, last_name: 'Osei', creator: pick(users) }),
    ),
  );
  // If the newest farmers had no cards, readers of pages would find the others without the end of the list.
  for (const [n, entity] of farmers.filter((_, n) => n % 2 === 0).entries()) {
    await post('/supply-chains/entity-cards/', { entity, card: { card_id: `bench-${n}` }, creator: pick(users) });
  }
  const transactions: string[] = [];
  await many(800, async (n) => {
    const isPurchase = n % 3 !== 2;
    // Goods are sold some thirty transactions after they were bought.
    const parents = [25, 29, 34].map((back) => transactions[n - back]).filter((id) => id !== undefined);
    const row = await post('/transactions/product-transactions/', {
      source: isPurchase ? pick(farmers) : coop,
      destination: isPurchase ? coop : pick(companies),
      product: pick(products),
      currency: pick(currencies),
      amount: '12.500',
      quantity: '4.000',
      creator: pick(users),
      ...(!isPurchase && { parents: parents.slice(0, 1 + (n % 4)) }),
    });
    transactions.push(row.id);
    return row;
  });
  const payments = idsOf(
    await many(500, () =>
      post('/transactions/payment-transactions/', {
        source: coop,
        destination: pick(farmers),
        premium,
        amount: 3,
        currency: pick(currencies),
        ...(random() < 0.6 && { transaction: pick(transactions) }),
        creator: pick(users),
      }),
    ),
  );
  return { transactions: transactions.toReversed(), payments: payments.toReversed(), farmers, companies, users };
}

/** Numbers from 0 to 1 of a linear congruential generator. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Calls the service past the gateway. */
export async function call<Data>(url: string, body?: object): Promise<Data> {
  const headers = { authorization: 'demo-coop', 'content-type': 'application/json' };
  const response = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  if (!response.ok) throw new Error(`The sandbox refuses ${url}: ${await response.text()}`);
  return (await response.json()) as Data;
}
