export interface Gateway {
  /** Where GraphQL is served, and GraphiQL in a browser. */
  url: string;
  /** Where health checks and metrics have a port of their own. */
  adminUrl: string | undefined;
  /** The parts read their files anew. */
  reload(): Promise<void>;
  /**
   * Reports not ready, takes requests for the shutdown delay, closes its port, and answers the requests in progress. Cuts
   * the rest after the shutdown timeout: resolves with false if there was any.
   */
  close(): Promise<boolean>;
}

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
