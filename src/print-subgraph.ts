import { print } from '@gateway/base';
import { subgraphSdl } from '@gateway/federation';
import { traceability } from './app.ts';

print(subgraphSdl(traceability));
