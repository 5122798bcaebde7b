import {
  argument,
  argumentOf,
  type Contract,
  described,
  type Endpoint,
  graphName,
  type Reference,
  words,
} from '@gateway/contract/codegen';
import { z } from 'zod';
import { formAt } from './codegen-lists.ts';
import type { CandidateField, Comparison } from './data.ts';
import { fieldOfKind } from './field-of-kind.ts';
import { likenessText } from './likeness.ts';

/** How rows of a list are like the object that a client describes. */
export const candidateKey = z.strictObject({
  field: graphName,
  compares: z
    .record(graphName, z.strictObject({ of: z.array(z.string()).min(1), as: z.enum(['codes', 'names', 'phones']) }))
    .refine((compared) => Object.keys(compared).length > 0, 'compares nothing'),
  description: z.string(),
});

type CandidateKey = z.infer<typeof candidateKey>;

interface CandidateList {
  list: Endpoint;
  key: CandidateKey;
}

function listsOf({ endpoints }: Contract): CandidateList[] {
  return endpoints.flatMap((list) => {
    const key = list.keys['x-candidates'] as CandidateKey | undefined;
    return key ? [{ list, key }] : [];
  });
}

/** Mistakes of `x-candidates`, each with its YAML path. */
export function candidateMistakes(contract: Contract): string[] {
  return listsOf(contract).flatMap(({ list, key }) => {
    const at = `${list.at}.x-candidates`;
    if (list.does !== 'list') return [`${at}: is for lists`];
    const ofKind = listsOf(contract).filter((other) => other.list.kind === list.kind);
    return [
      ...Object.entries(key.compares).flatMap(([name, { of }]) =>
        of
          // Numbers of phones may be integers.
          .filter((property) => !/^(String|Int|Float)$/.test(formAt(contract, list.kind, property) ?? ''))
          .map((property) => `${at}.compares.${name}.of: ${list.kind} has no property ${property} that is a text`),
      ),
      ...(ofKind.length > 1 ? [`${at}: another list of ${list.kind} has it too`] : []),
    ];
  });
}

export function candidateFieldsOf(contract: Contract): Record<string, CandidateField> {
  const fields = listsOf(contract).map(({ list, key }) => {
    const compares = Object.entries(key.compares).map(([name, { of, as }]): [string, Comparison] => [
      name,
      { of, as, filters: of.filter((property) => isFilter(list, property)) },
    ]);
    return [key.field, { list: list.name, kind: list.kind, compares: Object.fromEntries(compares) }];
  });
  return Object.fromEntries(fields);
}

/** Every service filters the list by texts within the property. */
function isFilter({ filters }: Endpoint, property: string): boolean {
  const filter = filters.find((each) => argumentOf(each) === property);
  return filter !== undefined && !filter['x-only-in'] && filter['x-shown-by']?.join() === property;
}

export function candidateTypes(contract: Contract): Record<string, Record<string, Reference>> {
  const types = listsOf(contract).map(({ list: { kind } }) => [
    `${kind}Candidate`,
    { [fieldOfKind(kind)]: { to: kind, noIdField: true } },
  ]);
  return Object.fromEntries(types);
}

export function candidatesSdl(contract: Contract): string {
  return listsOf(contract)
    .map((each) => candidateSdl(contract, each))
    .join('\n');
}

function candidateSdl(contract: Contract, { list, key }: CandidateList): string {
  const { kind, rootField } = list;
  const { compares } = candidateFieldsOf(contract)[key.field] as CandidateField;
  const inputs = Object.entries(compares).flatMap(([name, comparison]) =>
    comparison.of.map((property) => inputFieldSdl(contract, list, { name, property, comparison })),
  );
  const unfiltered = Object.entries(compares).filter(([, { filters }]) => filters.length === 0);
  const names = new Intl.ListFormat('en').format(unfiltered.map(([name]) => `\`${name}\``));
  const price =
    'Costs three calls at most: the whole list where it is that short, otherwise the filters of ' +
    `\`${rootField}\`.${unfiltered.length === 0 ? '' : ` The list has no filter for ${names}: where it is longer, they count if the gateway has looked through it for the caller, and \`complete\` says so.`}`;
  return `extend type Query {
${described(`${key.description} ${price}`, '  ')}  ${key.field}(
    "What is known. One field at least."
    input: ${kind}CandidateInput!
  ): ${kind}Candidates @semanticNonNull
}

"What is known of a ${words(kind)} who may be there already."
input ${kind}CandidateInput {
${inputs.join('')}}

"${kind}s like the one that a client describes."
type ${kind}Candidates {
  "Those that agree in most first."
  candidates: [${kind}Candidate!]!
${described(`True: no other ${words(kind)} agrees with the input, as far as the service shows them. Beside candidates, one that another caller has made in the last minute may be missing.`, '  ')}  complete: Boolean!
  "Why others may be missing. Null when complete."
  reason: String
}

"A ${words(kind)} that agrees with the input."
type ${kind}Candidate {
  "The ${words(kind)}. No call."
  ${fieldOfKind(kind)}: ${kind}
${described(`In what it agrees: ${new Intl.ListFormat('en').format(Object.keys(compares).map((name) => `\`${name}\``))}.`, '  ')}  agree: [String!]!
}
`;
}

interface InputField {
  name: string;
  property: string;
  comparison: Comparison;
}

function inputFieldSdl({ types }: Contract, { kind }: Endpoint, { name, property, comparison }: InputField): string {
  const { maxLength } = types.get(kind)?.properties[property] ?? {};
  const bound = maxLength === undefined ? '' : ` At most ${maxLength} characters.`;
  const whole = comparison.of.length > 1 ? `Part of \`${name}\`, which is compared as a whole` : 'Compared';
  const [description = '', field] = argument(property, 'String', `${whole}: ${likenessText[comparison.as]}.${bound}`);
  return `  ${description}\n  ${field}${maxLength === undefined ? '' : ` @length(max: ${maxLength})`}\n`;
}
