import { serviceContract } from '../../contract/service-contract.ts';
import { print } from '../../lib/print.ts';
import { subgraphSdl } from './sdl.ts';

print(subgraphSdl(serviceContract));
