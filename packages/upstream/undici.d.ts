/** Modules of undici that its entry loads among ninety others: fetch, caches and mocks, which take 15 MB. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export default buildConnector;
}
declare module 'undici/lib/api/api-request.js' {
  import { Dispatcher } from 'undici';

  /** `this` is the dispatcher. The entry of undici makes it a method of each. */
  const request: Dispatcher['request'];
  export default request;
}
