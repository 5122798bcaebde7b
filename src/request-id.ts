import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the HTTP request in whose course this runs: Apollo formats errors without saying whose they are. */
export const requestId = new AsyncLocalStorage<string>();
