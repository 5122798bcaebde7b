import fc from 'fast-check';
import { buildSchema, type FieldNode, Kind, parse, print, type SelectionNode, visit } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { traceability } from '../../src/app.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { merged, partsOf } from '../support/parts.ts';
import { randomOperation, roomForRandom } from '../support/random-documents/document.ts';
import { readWorld, type World, writeDeadEnds } from '../support/random-documents/world.ts';

const seed = Number(process.env.PROPERTY_SEED ?? 20261126);
const numRuns = Number(process.env.PROPERTY_RUNS ?? 60);
const accept = 'multipart/mixed;incrementalSpec=v0.2, application/json';
const key = 'Bearer demo-coop';

let gateway: Gateway;
let world: World;

// Each fragment takes some tokens more.
const settings = { ...roomForRandom, 'limits.documents.tokens': '9000' };

beforeAll(async () => {
  // Over a service with a GET for each kind, no part depends on objects that rows of another part embed.
  gateway = await startGateway({ sandbox: { dialect: 'connect', shufflesTies: false }, settings });
  await writeDeadEnds(gateway.sandbox.url, 'Bearer demo-coop', 'Bearer demo-buyer');
  world = await readWorld(gateway.sandbox.url, key);
});
afterAll(() => gateway.close());

test('the parts of a random document make the answer without @defer, and no call comes twice', {
  timeout: 60_000 + 400 * numRuns,
}, async () => {
  const choices = fc.array(fc.nat(9), { minLength: 40, maxLength: 40 });
  let inParts = 0;
  const property = fc.asyncProperty(
    randomOperation(buildSchema(traceability.typeDefs), world),
    choices,
    async ({ document, variables }, choices) => {
      const query = withDefers(document, choices);
      const plain = await ask(document, variables, 'application/json');
      const { text, calls, type } = await ask(query, variables, accept);
      if (!type.startsWith('multipart')) {
        expect(judged(JSON.parse(text))).toEqual(judged(JSON.parse(plain.text)));
        return;
      }
      inParts += 1;
      expect(judged(merged(partsOf(text)))).toEqual(judged(JSON.parse(plain.text)));
      if (new Set(plain.calls).size === plain.calls.length) expect(twiceIn(calls)).toEqual([]);
    },
  );
  await fc.assert(property, { seed, numRuns, interruptAfterTimeLimit: 60_000 + 300 * numRuns, endOnFailure: true });
  expect(inParts).toBeGreaterThan(numRuns / 4);
});

async function ask(query: string, variables: object, accept: string) {
  gateway.sandbox.clearCalls();
  const response = await gateway.post({ query, variables }, { key, headers: { accept } });
  const text = await response.text();
  const calls = gateway.sandbox.calls().map(({ method, path }) => `${method} ${path}`);
  return { text, calls, type: String(response.headers.get('content-type')) };
}

interface Judged {
  data?: unknown;
  errors?: { message: string; path?: unknown }[];
}

/** Errors come in another order. */
function judged({ data, errors = [] }: Judged) {
  return { data, errors: errors.map(({ path, message }) => `${JSON.stringify(path)} ${message}`).toSorted() };
}

function twiceIn(calls: readonly string[]): string[] {
  return calls.filter((call, index) => calls.indexOf(call) !== index);
}

/** Puts fields and fragments of the document into fragments with `@defer`, as the numbers choose. */
function withDefers(document: string, choices: readonly number[]): string {
  let next = 0;
  const choose = () => {
    next += 1;
    return choices[next % choices.length]! >= 6;
  };
  const node = visit(parse(document), {
    SelectionSet: {
      leave(set) {
        const late = set.selections.filter((node): node is FieldNode => node.kind === Kind.FIELD && choose());
        if (late.length === 0) return undefined;
        const others: SelectionNode[] = set.selections.filter((each) => !late.includes(each as FieldNode));
        const [fragment] = (
          parse(`{ ... @defer(label: "l${next}") { x } }`).definitions[0] as never as {
            selectionSet: { selections: SelectionNode[] };
          }
        ).selectionSet.selections;
        const deferred = { ...fragment, selectionSet: { kind: Kind.SELECTION_SET, selections: late } } as SelectionNode;
        return { ...set, selections: [...others, deferred] };
      },
    },
  });
  return print(node);
}
