import type { Reply } from '../fake-upstream.ts';
import { RestReader } from '../reference-executor/rest-reader.ts';
import { paths, type Row } from '../rest-reads.ts';

export interface Fault {
  path: string;
  reply: Reply;
}

/**
 * Faults of the service: lists fail or hide rows, and resources fail or are gone. `embedding`: the id of a company that embeds
 * some of these objects.
 */
export async function faultsOf(url: string, key: string): Promise<{ faults: Fault[]; embedding: string }> {
  const service = new RestReader(url, key);
  const { results: farmers } = await service.rows(paths.farmers, {}, 0, 100);
  const { results: transactions } = await service.rows(paths.productTransactions, {}, 0, 100);
  const [farmer, otherFarmer] = farmers as [Row, Row];
  const company = (await service.one(paths.companies, farmer.buyer)) as Row;
  const buyer = (await service.one(paths.companies, company.buyer.id)) as Row;
  const product = company.forms.flatMap((form: Row) => form.products)[0] as Row;
  const parent = transactions.find(({ parents }) => parents.length > 0)?.parents[0];
  const gone: Reply = { status: 404, body: '{"detail":"Not found."}' };
  const fails: Reply = { status: 500, body: '{}' };
  /** A hidden row shows another id, so that the list has as many rows as before. */
  const hides = (id: string): Reply => ({
    edit({ results }: { results: Row[] }) {
      for (const row of results) if (row.id === id) row.id = `${id}HIDDEN`;
    },
  });
  const faults = [
    { path: paths.products, reply: hides(product.id) },
    { path: paths.farmers, reply: hides(farmer.id) },
    { path: paths.cards, reply: fails },
    { path: paths.products, reply: fails },
    { path: paths.currencies, reply: fails },
    { path: `${paths.companies}${buyer.id}/`, reply: fails },
    { path: `${paths.companies}${buyer.id}/`, reply: gone },
    {
      path: `${paths.companies}${company.id}/`,
      reply: {
        edit(detail: Row) {
          detail.buyer = buyer;
        },
      },
    },
    { path: `${paths.farmers}${farmer.id}/`, reply: gone },
    { path: `${paths.farmers}${otherFarmer.id}/`, reply: fails },
    { path: `${paths.productTransactions}${parent}/`, reply: gone },
    { path: `${paths.users}${farmer.creator}/`, reply: gone },
    { path: `${paths.users}${company.creator}/`, reply: fails },
  ];
  return { faults, embedding: company.id };
}
