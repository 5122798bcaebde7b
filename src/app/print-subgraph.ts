import { subgraphSdl } from '../graphql/federation/sdl.ts';
import { print } from '../lib/print.ts';
import { traceability } from './app.ts';

print(subgraphSdl(traceability));
