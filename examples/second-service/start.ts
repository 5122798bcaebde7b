/** Starts the library and its gateway: `npm run library`. */

import { createLogger } from '@gateway/graphql-serve';
import { startGateway } from '../../src/compose.ts';
import { settingsFrom } from '../../src/config.ts';
import { library } from './app.ts';
import { startLibrary } from './service.ts';

const { contract } = library;
const service = await startLibrary({ port: 4_020 });
const { config } = settingsFrom({ environment: { IDEMPOTENCY_FILE: ':memory:', ...process.env }, contract });
const gateway = await startGateway(library, {
  config,
  upstreamUrl: service.url,
  demoKey: 'demo-desk',
  logger: createLogger(config.log, process.stdout, contract.keyHeader),
});
process.stdout.write(`GraphQL and GraphiQL  ${gateway.url}\nLibrary               ${service.url}\n`);
process.stdout.write(`Demo key              ${contract.data.key.header}: demo-desk\n`);

process.once('SIGINT', async () => {
  await gateway.close();
  await service.close();
});
