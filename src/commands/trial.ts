import {
  type SampleIds,
  type StartTrial,
  sampleFile,
  serviceTimeOf,
  startStepwiseService,
  type TrialOperation,
} from '@gateway/cost-report/command';
import { type SandboxOptions, startSandbox } from '@gateway/sandbox';
import { print } from 'graphql';
import { pino } from 'pino';
import { traceability } from '../app.ts';
import { startGateway } from '../compose.ts';
import { readConfig } from '../config.ts';

const key = 'Bearer demo-coop';

const { keyHeader } = traceability.contract;

/** Runs operations over sandboxes in memory, planned for `costs`. Each mutation gets a sandbox of its own. */
export const startTrial: StartTrial = async (costs, name) => {
  const dialect = name as NonNullable<SandboxOptions['dialect']>;
  const shared = await startSandbox({ dialect });
  return {
    ids: await sampleIds(shared.url),
    async run(operation, variables) {
      const isQuery = operation.definition.operation === 'query';
      const sandbox = isQuery ? shared : await startSandbox({ dialect });
      const service = await startStepwiseService(sandbox.url);
      const gateway = await startGateway(traceability, {
        config: readConfig({
          PORT: '0',
          UPSTREAM_DIALECT: dialect,
          IDEMPOTENCY_FILE: ':memory:',
          ME_CLAIM: 'user_id',
          COMPANY_CLAIM: 'session_data.entity_id',
        }),
        upstreamUrl: service.url,
        logger: pino({ level: 'silent' }),
        costs,
      });
      const errors = await send(gateway.url, await tokenOf(sandbox.url), operation, variables);
      const calls = await service.takeCalls();
      await gateway.close();
      await service.close();
      if (!isQuery) await sandbox.close();
      return {
        calls: calls.length,
        rows: calls.reduce((sum, { rows }) => sum + rows, 0),
        waves: calls.at(-1)?.wave ?? 0,
        ...serviceTimeOf(calls, costs, traceability.contract),
        errors,
      };
    },
    close: () => shared.close(),
  };
};

/** A token of the sandbox, because `me` and `activeCompany` are in its claims. It lives for five minutes. */
async function tokenOf(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'abena@sankofa.example', password: 'sandbox', device_id: 'report' }),
  });
  const body = (await response.json()) as { data?: { access: string }; access: string };
  return (body.data ?? body).access;
}

/** Returns the codes of the errors in the answer. */
async function send(
  url: string,
  token: string,
  { document, definition }: TrialOperation,
  variables: object,
): Promise<string[]> {
  const operationName = definition.name?.value;
  const asked = { query: print(document), ...(operationName && { operationName }), variables };
  const response = await fetch(url, { method: 'POST', ...bodyOf(token, asked) });
  const { errors = [] } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return [...new Set(errors.map(({ extensions }) => extensions.code))];
}

function bodyOf(token: string, asked: { variables: object }): RequestInit {
  const headers = { [keyHeader]: `Bearer ${token}`, 'apollo-require-preflight': 'true' };
  const [upload] = Object.entries(asked.variables).find(([, value]) => value === sampleFile) ?? [];
  if (upload === undefined) {
    return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(asked) };
  }
  const form = new FormData();
  form.append('operations', JSON.stringify({ ...asked, variables: { ...asked.variables, [upload]: null } }));
  form.append('map', JSON.stringify({ 0: [`variables.${upload}`] }));
  form.append('0', new File(['%PDF'], 'sample.pdf', { type: 'application/pdf' }));
  return { headers, body: form };
}

type Listed = { results?: Record<string, string>[] } & Record<string, string>;

/** The first id of each kind in the sandbox, by the arguments and fields that take it. */
async function sampleIds(url: string): Promise<SampleIds> {
  const read = async (path: string): Promise<Record<string, string>> => {
    const response = await fetch(url + path, { headers: { [keyHeader]: key } });
    const body = (await response.json()) as { data?: Listed };
    const answer = body.data ?? (body as Listed);
    return answer.results?.[0] ?? answer;
  };
  const { id: farmer = '', buyer = '', creator = '' } = await read('/supply-chains/farmers/?limit=1');
  const { id: transaction = '', product = '' } = await read(
    '/transactions/product-transactions/?filter_by=all&limit=1',
  );
  const { id: payment = '' } = await read('/transactions/payment-transactions/?limit=1');
  const { id: currency = '' } = await read('/catalogs/currencies/?limit=1');
  const { id: card = '' } = await read('/catalogs/connect-cards/?limit=1');
  return {
    ...{ farmer, source: farmer, entity: farmer },
    ...{ company: buyer, buyer, owner: buyer, destination: buyer, default_entity: buyer },
    ...{ user: creator, creator, updater: creator, user_id: creator },
    ...{ productTransaction: transaction, transaction },
    ...{ paymentTransaction: payment, payment_transaction: payment },
    ...{ product, currency, card },
  };
}
