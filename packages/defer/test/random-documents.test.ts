import fc from 'fast-check';
import {
  buildSchema,
  type FieldNode,
  Kind,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import {
  buildSchema as buildReferenceSchema,
  experimentalExecuteIncrementally,
  parse as parseReference,
} from 'graphql-17';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { traceability } from '../../../src/app.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { merged, type Part, partsOf } from '../../../test/support/parts.ts';
import { randomOperation, roomForRandom } from '../../../test/support/random-documents/document.ts';
import { readWorld, type World, writeDeadEnds } from '../../../test/support/random-documents/world.ts';

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
      const plain = await ask(withTypes(document), variables, 'application/json');
      // An early part shows the id of an object that the service hides. A later part has the error.
      fc.pre(!plain.text.includes('REFERENCE_UNRESOLVED') && !plain.text.includes('shows no'));
      const { text, calls, type } = await ask(query, variables, accept);
      if (!type.startsWith('multipart')) {
        expect(judged(JSON.parse(text))).toEqual(judged(JSON.parse(plain.text)));
        return;
      }
      inParts += 1;
      const parts = partsOf(text);
      expect(judged(merged(parts))).toEqual(judged(JSON.parse(plain.text)));
      const reference = await referenceParts(query, variables, JSON.parse(plain.text).data);
      expect(merged(parts).data).toEqual(merged(reference).data);
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

const referenceSchema = buildReferenceSchema(traceability.typeDefs);

/** The parts that graphql-js 17 makes of the whole data. */
async function referenceParts(query: string, variableValues: Record<string, unknown>, data: object): Promise<Part[]> {
  const result = await experimentalExecuteIncrementally({
    schema: referenceSchema,
    document: parseReference(query),
    variableValues,
    rootValue: data,
    fieldResolver: (source, _args, _context, { path }) => source[path.key],
    typeResolver: (value) => (value as { __typename: string }).__typename,
  });
  if (!('initialResult' in result)) return [result];
  const parts: Part[] = [result.initialResult];
  for await (const part of result.subsequentResults) parts.push(part);
  return structuredClone(parts);
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

const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/** Selects the type of every object, which graphql-js needs where there may be several. */
function withTypes(document: string): string {
  const SelectionSet = (set: SelectionSetNode) => ({ ...set, selections: [typename, ...set.selections] });
  return print(visit(parse(document), { SelectionSet: { leave: SelectionSet } }));
}

/** Puts fields and fragments of the document into fragments with `@defer`, as the numbers choose. */
function withDefers(document: string, choices: readonly number[]): string {
  let next = 0;
  const choose = () => {
    next += 1;
    return choices[next % choices.length]! >= 6;
  };
  const node = visit(parse(withTypes(document)), {
    SelectionSet: {
      leave(set) {
        const late = set.selections.filter(
          (node): node is FieldNode => node.kind === Kind.FIELD && node.name.value !== '__typename' && choose(),
        );
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
