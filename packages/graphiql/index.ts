export { buildIfMissing, type GraphiqlOptions, graphiql, type Pace } from './serve.ts';
