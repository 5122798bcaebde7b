import { Client, fetchExchange } from '@urql/core';
import { lateBuyers } from './documents.ts';
import { headers, url } from './gateway.ts';

const client = new Client({ url, fetchOptions: { headers }, preferGetMethod: false, exchanges: [fetchExchange] });

const shown: unknown[] = [];
await new Promise<void>((resolve, reject) => {
  client.query(lateBuyers, {}).subscribe(({ data, error, hasNext }) => {
    if (error) reject(error);
    shown.push(structuredClone(data));
    if (!hasNext) resolve();
  });
});
console.log(JSON.stringify(shown));
