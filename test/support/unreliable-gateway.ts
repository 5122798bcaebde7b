import { expect } from 'vitest';
import { type Answer, type Gateway, startGateway } from './harness.ts';
import { startUnreliableService, type UnreliableService } from './unreliable-service.ts';

export interface UnreliableGateway extends Gateway {
  service: UnreliableService;
  /** As `query`, and holds every error against what clients may be shown. Its `calls` include those that failed. */
  ask(document: string, variables?: object): Promise<Answer>;
}

/** The gateway over a sandbox of which any path can be made to fail. */
export async function startUnreliableGateway(settings: Record<string, string>): Promise<UnreliableGateway> {
  let sandboxUrl = '';
  const service = await startUnreliableService(() => sandboxUrl);
  const gateway = await startGateway({ upstreamUrl: service.url, settings });
  sandboxUrl = gateway.sandbox.url;
  return {
    ...gateway,
    service,
    async ask(document, variables) {
      service.calls.length = 0;
      const answer = await gateway.query(document, variables);
      expectNothingShown(answer, service);
      return { ...answer, calls: [...service.calls] };
    },
    async close() {
      await gateway.close();
      await service.close();
    },
  };
}

const extensions = ['code', 'retryable', 'reference', 'fields', 'upstream_status', 'retry_after', 'request_id'];

/** Neither the service's address nor its bodies nor the key. */
function expectNothingShown({ errors }: Answer, service: UnreliableService): void {
  const shown = JSON.stringify(errors);
  const secrets = ['127.0.0.1', new URL(service.url).port, '/v1', 'supply-chains', 'demo-coop', 'Traceback', '<h1>'];
  expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  expect(errors.flatMap((error) => Object.keys(error.extensions)).filter((key) => !extensions.includes(key))).toEqual(
    [],
  );
}

/** What a client tells errors apart by. */
export function summariesOf({ errors }: Answer) {
  return errors.map(({ path, extensions: { code, reference, upstream_status, retry_after, retryable } }) => ({
    path,
    code,
    retryable,
    ...(reference !== undefined && { reference }),
    ...(upstream_status !== undefined && { upstream_status }),
    ...(retry_after !== undefined && { retry_after }),
  }));
}
