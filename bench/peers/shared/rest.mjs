/** How the Node peers call the REST service, and the DataLoaders that they share. */
import DataLoader from 'dataloader';
import { Pool, request } from 'undici';

export const upstream = process.env.UPSTREAM_URL;
export const port = Number(process.env.PORT);

/** Each call through undici's global agent. A getter takes a path and an Authorization; 404 is null. */
export function globalGetter() {
  return async (path, authorization) => {
    const response = await request(upstream + path, { headers: { authorization, accept: 'application/json' } });
    return bodyOf(response, path);
  };
}

/** Each call through one pool of connections to the service. */
export function poolGetter() {
  const { origin, pathname } = new URL(upstream);
  const pool = new Pool(origin);
  return async (path, authorization) => {
    const headers = { authorization, accept: 'application/json' };
    return bodyOf(await pool.request({ path: pathname + path, method: 'GET', headers }), path);
  };
}

/** The context of one request: a GET by id for each key of a tick, and products out of one list. */
export function makeContext(getter, authorization) {
  const get = (path) => getter(path, authorization);
  const byId = (prefix) =>
    new DataLoader((ids) => Promise.all(ids.map((id) => get(`${prefix}${encodeURIComponent(id)}/`).catch((e) => e))));
  return {
    get,
    list: (path, args) => get(path + queryOf(args)),
    loaders: {
      farmer: byId('/supply-chains/farmers/'),
      company: byId('/supply-chains/companies/'),
      user: byId('/accounts/users/'),
      product: new DataLoader(async (ids) => {
        const { results } = await get('/catalogs/products/?limit=100');
        const products = new Map(results.map((product) => [product.id, product]));
        return ids.map((id) => products.get(id) ?? null);
      }),
    },
  };
}

async function bodyOf({ statusCode, body }, path) {
  if (statusCode < 400) return body.json();
  await body.dump();
  if (statusCode === 404) return null;
  throw new Error(`upstream ${statusCode} for ${path}`);
}

function queryOf({ limit, offset }) {
  const parameters = [limit != null && `limit=${limit}`, offset != null && `offset=${offset}`].filter(Boolean);
  return parameters.length > 0 ? `?${parameters.join('&')}` : '';
}
