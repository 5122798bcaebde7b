/** Starts the library and its gateway: `npm run library`. */

import { startGateway } from './compose.ts';
import { startLibrary } from './service.ts';

const { PORT = '4000', LIBRARY_PORT = '4020' } = process.env;
try {
  const service = await startLibrary({ port: Number(LIBRARY_PORT) });
  const gateway = await startGateway({ url: service.url, settings: { server: { port: Number(PORT) } } });
  process.stdout.write(`GraphQL and GraphiQL  ${gateway.url}\nLibrary               ${service.url}\n`);
  process.stdout.write('Demo key              X-Library-Key: demo-desk\n');

  process.once('SIGINT', async () => {
    await gateway.close();
    await service.close();
  });
} catch (error) {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code !== 'EADDRINUSE') throw error;
  console.error(`Port ${port} is taken; choose another one with PORT, or LIBRARY_PORT for the library.`);
  process.exit(1);
}
