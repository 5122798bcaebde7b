import type { Answer } from './client.ts';
import { type Gateway, startGateway } from './harness.ts';
import { get, type Json } from './rest.ts';

/** The gateway before a service that behaves as the newest public version of the real one. */
export interface ConnectGateway {
  gateway: Gateway;
  ids: Record<'company' | 'buyer' | 'farmer' | 'user' | 'stranger' | 'product' | 'dollar', string>;
  key: string;
  query(document: string, variables?: object): Promise<Answer>;
  /** The data of a GET, straight from the service. */
  rest(path: string): Promise<Json>;
}

export async function startConnectGateway(): Promise<ConnectGateway> {
  const gateway = await startGateway({ sandbox: { dialect: 'connect' } });
  const key = 'Bearer demo-coop';
  const rest = (path: string) => get(gateway.sandbox, path, key);
  const [farmer] = (await rest('/supply-chains/farmers/?limit=1')).results;
  const company = await rest(`/supply-chains/companies/${farmer.buyer}/`);
  const buyer = await rest(`/supply-chains/companies/${company.buyer.id}/`);
  const ids = {
    company: company.id,
    buyer: buyer.id,
    farmer: farmer.id,
    user: company.members[0],
    stranger: buyer.members[0],
    product: (await rest('/catalogs/products/?limit=1')).results[0].id,
    dollar: company.currency.id,
  };
  return { gateway, ids, key, query: (document, variables = {}) => gateway.query(document, variables, { key }), rest };
}
