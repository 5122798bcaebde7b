import fc from 'fast-check';
import { type GraphQLSchema, parse, validate } from 'graphql';
import { argumentChoice } from './arguments.ts';
import type { World } from './world.ts';
import { type Choice, DocumentWriter, type Operation, type RootChoice } from './writer.ts';

/** Random documents hold more of these than anybody would write. */
export const roomForRandom = {
  'limits.documents.aliases': '1000',
  'limits.documents.directives': '1000',
  'limits.documents.fieldsPerObject': '1000',
  'limits.operations.cost': '1000000',
};

/** Widths below the root: bushy where rows begin, a thread at the end. */
const widths = [4, 6, 6, 4, 3, 3, 2, 2, 1];

/** True so many times of ten; shrinks to false. */
const mostly = (times: number) => fc.nat(9).map((number) => number >= 10 - times);

const selections = widths.reduceRight<fc.Arbitrary<Choice[]>>((children, maxLength) => {
  const choice = fc.record({
    isDeep: mostly(6),
    pick: fc.nat(999),
    form: fc.nat(39),
    directive: fc.nat(55),
    children,
  });
  return fc.array(choice, { maxLength, size: 'max' });
}, fc.constant([]));

const roots: fc.Arbitrary<RootChoice[]> = fc.array(
  fc.record({
    pick: fc.nat(999),
    args: argumentChoice,
    likeness: fc.nat(9),
    areVariables: fc.boolean(),
    children: selections,
  }),
  { maxLength: 4, size: 'max' },
);

/** Valid operations over what the world holds, within the limits of the gateway and of a few hundred REST calls. */
export function randomOperation(schema: GraphQLSchema, world: World): fc.Arbitrary<Operation> {
  return roots
    .map((choices) => new DocumentWriter(schema, world).write(choices))
    .filter(({ document }) => isValid(schema, document))
    .map((operation) => ({ ...operation, [fc.toStringMethod]: show }));
}

/** Aliases may conflict, and a document may have more tokens than the gateway reads. */
function isValid(schema: GraphQLSchema, document: string): boolean {
  try {
    return validate(schema, parse(document, { maxTokens: 2000 })).length === 0;
  } catch {
    return false;
  }
}

function show(this: Operation): string {
  return `\n${this.document}\n${JSON.stringify(this.variables)}\n`;
}
