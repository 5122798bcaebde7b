export { buildIfMissing, type Graphiql, openGraphiql } from './serve.ts';
