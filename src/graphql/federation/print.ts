import { subgraphSdl } from './sdl.ts';

process.stdout.write(subgraphSdl());
