import relay, { type ConcreteRequest, type GraphQLResponse, type MutationParameters } from 'relay-runtime';
import { type App, keyHeader, send, type Variables } from './app.ts';
import { getDataID, shownLists } from './relay.ts';

const { commitMutation, createOperationDescriptor, Environment, Network, RecordSource, Store } = relay;

interface List {
  __id?: string;
  productTransactions?: { __id: string };
  pageInfo?: { endCursor: string | null };
}

export function startApp(url: string): App {
  let headers = {};
  const source = new RecordSource();
  const environment = new Environment({
    network: Network.create(
      async ({ text }, variables) => send(url, text ?? '', variables, headers) as Promise<GraphQLResponse>,
    ),
    store: new Store(source),
    getDataID,
  });
  const lists = shownLists(source);
  return {
    async open(document, variables) {
      const request = await compiled(`${document}Query`);
      const first = createOperationDescriptor(request, variables);
      const retained = environment.retain(first);
      const read = (next: Variables) =>
        environment.execute({ operation: createOperationDescriptor(request, next) }).toPromise();
      if (environment.check(first).status !== 'available') await read(variables);
      const data = () => environment.lookup(first.fragment).data as unknown as Record<string, List>;
      const [shown] = Object.values(data());
      if (shown?.__id) lists.show(shown.__id, variables);
      const { __id: back } = shown?.productTransactions ?? {};
      const goods = document === 'companyStock' ? { quantity_available: true } : {};
      if (back) lists.show(back, { entity: variables.id, limit: 4, ...goods });
      return {
        data,
        more: async () => void (await read({ ...variables, after: Object.values(data())[0]?.pageInfo?.endCursor })),
        close: () => retained.dispose(),
      };
    },
    async write(document, variables, { optimistic, ...options } = {}) {
      // Relay knows the types of fields, and takes no __typename.
      const { __typename, ...shown } = { ...optimistic?.[document] } as Record<string, unknown>;
      const mutation = await compiled(`${document}Mutation`);
      const updater = lists.updater(document);
      headers = keyHeader(options);
      await new Promise<void>((resolve, reject) => {
        commitMutation<Mutation>(environment, {
          mutation,
          variables,
          updater,
          ...(optimistic && { optimisticResponse: { [document]: shown }, optimisticUpdater: updater }),
          onCompleted: () => resolve(),
          onError: reject,
        });
      });
    },
  };
}

type Mutation = MutationParameters & { rawResponse: Record<string, object> };

async function compiled(name: string): Promise<ConcreteRequest> {
  const file = `lists${name[0]?.toUpperCase()}${name.slice(1)}`;
  return (await import(`../relay/__generated__/${file}.graphql.ts`)).default;
}
