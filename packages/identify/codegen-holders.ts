import {
  type Contract,
  described,
  type Endpoint,
  graphName,
  type Reference,
  sharedIdMistakes,
  words,
} from '@gateway/contract/codegen';
import { z } from 'zod';
import { formAt, typeIn, typeNameOf } from './codegen-lists.ts';
import type { Assignments, HolderField } from './data.ts';

/** A list whose rows show who holds a thing. */
export const holderKey = z.strictObject({
  field: graphName,
  argument: graphName,
  assignment: z.string().optional(),
  holder: z.string().optional(),
  by: z.array(z.string()).min(1),
  active: z.string().optional(),
  newest: z.string(),
  /** Describes the field. One of its lists has it. */
  description: z.string().optional(),
});

type HolderKey = z.infer<typeof holderKey>;

interface HolderList {
  list: Endpoint;
  key: HolderKey;
}

function listsOf({ endpoints }: Contract): HolderList[] {
  return endpoints.flatMap((list) => {
    const key = list.keys['x-holders'] as HolderKey | undefined;
    return key ? [{ list, key }] : [];
  });
}

function byField(contract: Contract): [field: string, lists: [HolderList, ...HolderList[]]][] {
  return [...Map.groupBy(listsOf(contract), ({ key }) => key.field)] as never;
}

/** The type of the holders in the rows of a list. */
function holderTypeOf({ types }: Contract, { list, key: { holder } }: HolderList): string | undefined {
  return holder === undefined ? list.kind : types.get(list.kind)?.references[holder]?.to;
}

/** The type of the assignments in the rows of a list. */
function assignmentTypeOf({ types }: Contract, { list, key: { assignment } }: HolderList): string | undefined {
  return assignment === undefined ? list.kind : typeIn(types.get(list.kind), assignment);
}

/** The type of the holders in the rows of all these lists. Undefined where they have none in common. */
function targetOf(contract: Contract, lists: readonly HolderList[]): string | undefined {
  const found = new Set(lists.map((each) => holderTypeOf(contract, each)));
  const [only] = found;
  if (found.size === 1) return only;
  const isAny = (name: string, kinds: readonly string[]) =>
    [...found].every((type) => type === name || (type !== undefined && kinds.includes(type)));
  return [...contract.unions.values()].find(({ name, kinds }) => isAny(name, kinds))?.name;
}

/** Mistakes of `x-holders`, each with its YAML path. */
export function holderMistakes(contract: Contract): string[] {
  const ofLists = listsOf(contract).flatMap((each) => {
    const { list, key } = each;
    const at = `${list.at}.x-holders`;
    const { kind } = list;
    const type = assignmentTypeOf(contract, each);
    if (list.does !== 'list') return [`${at}: is for lists`];
    return [
      ...(type === undefined ? [`${at}.assignment: ${kind}.${key.assignment} embeds no object`] : []),
      ...(holderTypeOf(contract, each) === undefined
        ? [`${at}.holder: ${kind}.${key.holder} refers to no object`]
        : []),
      ...(key.active === undefined || formAt(contract, type, key.active) === 'Boolean'
        ? []
        : [`${at}.active: ${type} has no property ${key.active} that is a boolean`]),
      ...(/^(Date|Int|Float|Decimal)/.test(formAt(contract, type, key.newest) ?? '')
        ? []
        : [`${at}.newest: ${type} has no property ${key.newest} that is a time`]),
      ...key.by
        .filter((place) => formAt(contract, type, place) !== 'String')
        .map((place) => `${at}.by: ${type} has no property ${place} that is a text`),
    ];
  });
  const ofFields = byField(contract).flatMap(([field, lists]) => {
    const [{ list }] = lists;
    const at = `${list.at}.x-holders`;
    const isSame = lists.every(({ key }) => key.argument === lists[0].key.argument);
    return [
      ...(targetOf(contract, lists) === undefined
        ? [`${at}: the lists of ${field} have holders of no common type`]
        : []),
      ...sharedIdMistakes(contract, at, [targetOf(contract, lists)]),
      ...(isSame ? [] : [`${at}.argument: is not the same in all lists of ${field}`]),
      ...(lists.filter(({ key }) => key.description).length === 1
        ? []
        : [`${at}.description: one list of ${field} has it`]),
    ];
  });
  return [...ofLists, ...ofFields];
}

export function holderFieldsOf(contract: Contract): Record<string, HolderField> {
  const fields = byField(contract).map(([field, lists]) => {
    const target = targetOf(contract, lists) as string;
    return [field, { argument: lists[0].key.argument, target, lists: lists.map(({ list }) => list.name) }];
  });
  return Object.fromEntries(fields);
}

/** How a list shows the holders of each field. */
export function assignmentsOf({ keys }: Endpoint): Record<string, Assignments> {
  const key = keys['x-holders'] as HolderKey | undefined;
  if (!key) return {};
  const { field, argument: _argument, description: _description, ...assignments } = key;
  return { [field]: assignments };
}

export function holderTypes(contract: Contract): Record<string, Record<string, Reference>> {
  const types = byField(contract).map(([field, lists]) => {
    const to = targetOf(contract, lists) as string;
    return [typeNameOf(field), { holder: { to } }];
  });
  return Object.fromEntries(types);
}

export function holdersSdl(contract: Contract): string {
  return byField(contract)
    .map(([field, lists]) => holderSdl(contract, field, lists))
    .join('\n');
}

function holderSdl(contract: Contract, field: string, lists: readonly [HolderList, ...HolderList[]]): string {
  const target = targetOf(contract, lists) as string;
  const { argument } = lists[0].key;
  const description = lists.find(({ key }) => key.description)?.key.description ?? '';
  const fields = new Intl.ListFormat('en').format(lists.map(({ list }) => `\`${list.rootField}\``));
  const price =
    `Costs a look through ${fields}, once for each caller. For a minute after it, the gateway knows who holds what: it ` +
    'reads the holder alone, or the rows that have changed. Later it reads both. It sees writes through the gateway at once.';
  const spelling = 'Case, spaces, and the characters `:` `-` `.` `_` `/` do not count.';
  const names = lists[0].key.by.map((place) => `\`${place.split('.').at(-1)}\``);
  const [first, ...others] = names;
  const by = others.length > 0 ? ` Without a ${first} like it, it may be the ${others.join(', or the ')}.` : '';
  return `extend type Query {
${described(`${description} ${price}`, '  ')}  ${field}(
${described(`The ${first} as a reader gives it. ${spelling}${by}`, '    ')}    ${argument}: String!
  ): ${typeNameOf(field)} @semanticNonNull
}

"Who holds a thing."
type ${typeNameOf(field)} {
${described(`The ${words(target)} of the newest active assignment. Null where no list shows one. At most one GET.`, '  ')}  holder: ${target}
  "Id of \`holder\`. No call."
  holder_id: ID
${described(`True: the gateway knows all rows of the lists, as far as the service shows them. A null \`holder\` is none among these. What other callers have changed in the last minute may be missing.`, '  ')}  complete: Boolean!
  "Why rows may be missing. Null when complete."
  reason: String
}
`;
}
