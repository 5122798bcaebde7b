/** Starts the library and its gateway: `npm run library`. */

import { startGateway } from './compose.ts';
import { startLibrary } from './service.ts';

const service = await startLibrary({ port: 4_020 });
const gateway = await startGateway({ url: service.url });
process.stdout.write(`GraphQL and GraphiQL  ${gateway.url}\nLibrary               ${service.url}\n`);
process.stdout.write('Demo key              X-Library-Key: demo-desk\n');

process.once('SIGINT', async () => {
  await gateway.close();
  await service.close();
});
