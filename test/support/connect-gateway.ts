import type { Answer } from './client.ts';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from './harness.ts';
import { get, type Json } from './rest.ts';

const sandbox = { dialect: 'connect' } as const;

/** The gateway before a service that behaves as the newest public version of the real one. */
export interface ConnectGateway {
  gateway: Gateway;
  ids: Record<'company' | 'buyer' | 'farmer' | 'user' | 'stranger' | 'product' | 'dollar', string>;
  key: string;
  query(document: string, variables?: object): Promise<Answer>;
  /** The data of a GET, straight from the service. */
  rest(path: string): Promise<Json>;
}

/** `lacks`: paths that the service answers as one without their GETs. */
export async function startConnectGateway({ lacks = [] as string[] } = {}): Promise<ConnectGateway> {
  const gateway = lacks.length > 0 ? await startLacking(lacks) : await startGateway({ sandbox });
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

const notAllowed = {
  success: false,
  message: { detail: 'Method "GET" not allowed.' },
  detail: '',
  code: 405,
  data: {},
};

async function startLacking(lacks: readonly string[]): Promise<FakedGateway> {
  const gateway = await startFakedGateway({}, { sandbox });
  gateway.upstream.respond = ({ method, path }) => {
    const lacking = method === 'GET' ? lacks.find((each) => path.startsWith(each)) : undefined;
    if (lacking === undefined) return undefined;
    // The path of the list takes writes.
    const isList = path.slice(lacking.length).replace(/\?.*/, '') === '';
    return isList ? { status: 405, body: JSON.stringify(notAllowed) } : { status: 404, body: '<h1>Not Found</h1>' };
  };
  return gateway;
}
