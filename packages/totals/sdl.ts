import { type Contract, described, type Endpoint, filterArgument, type Schema, words } from '@gateway/contract/codegen';
import { balanceTypes, groupName, insideType, month as monthName, rootFieldOf, totalsTypes } from './declared.ts';
import { type Declared, declaredBy } from './key.ts';

/** The fields and types of one `x-totals`. */
export function sdlOf(contract: Contract, endpoint: Endpoint): string {
  const { kind } = endpoint;
  const declared = declaredBy(endpoint);
  const { inside, on, balances } = declared;
  return [
    rootField(endpoint, declared),
    ...on.map((each) => ownField(endpoint, declared, each)),
    groups(kind, declared),
    totalsType(endpoint),
    totalType(contract, kind, declared),
    ...inside.map((each) => insideTypeSdl(contract, kind, declared, each)),
    ...balances.map((each) => balanceSdl(contract, endpoint, each)),
  ].join('\n');
}

function rootField(endpoint: Endpoint, declared: Declared): string {
  const { kind, filters, rootField } = endpoint;
  const rows = `${words(kind)}s`;
  const figures = declared.sums.length + declared.inside.length > 0 ? 'Counts and exact sums' : 'Counts';
  const text = `${figures} of the ${rows} that match. Costs pages of \`${rootField}\`, read once for all fields of the operation.`;
  const args = [...groupByOf(kind, declared), ...filters.flatMap(filterArgument)];
  return `extend type Query {\n${described(text, '  ')}  ${rootFieldOf(kind)}${argumentList(args)}: ${totalsTypes(kind).totals} @semanticNonNull\n}\n`;
}

function ownField(endpoint: Endpoint, declared: Declared, { type, field, by, description }: Declared['on'][number]) {
  const { kind, rootField } = endpoint;
  const price = by
    ? `Costs pages of \`${rootField}\`, read once for all objects, or filtered pages for each.`
    : `Costs pages of \`${rootField}\`, read once for all objects.`;
  const args = [...groupByOf(kind, declared), ...ownFilters(endpoint, by)];
  return `extend type ${type} {\n${described(`${description} ${price}`, '  ')}  ${field}${argumentList(args)}: ${totalsTypes(kind).totals} @semanticNonNull\n}\n`;
}

/** Every service has these filters. */
function ownFilters({ filters }: Endpoint, by?: string): string[] {
  return filters.filter((filter) => !filter['x-only-in'] && filter.name !== by).flatMap(filterArgument);
}

function groupByOf(kind: string, { unit, groupBy, month }: Declared): string[] {
  if (groupBy.length === 0 && month === undefined) return [];
  const divides = unit === undefined ? 'Without it, there is one group.' : `The ${words(unit)} always divides too.`;
  return [
    JSON.stringify(`Divides the rows, each value at most once. ${divides}`),
    `groupBy: [${totalsTypes(kind).group}!]`,
  ];
}

function argumentList(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `(\n${lines.map((line) => `    ${line}\n`).join('')}  )`;
}

function groups(kind: string, { groupBy, month }: Declared): string {
  const values = [
    ...groupBy.map((field) => `  "By \`${field}\`."\n  ${groupName(field)}\n`),
    ...(month === undefined ? [] : [`  "By the month of \`${month}\`, in UTC."\n  ${monthName}\n`]),
  ];
  if (values.length === 0) return '';
  return `"By what totals of ${words(kind)}s are divided."\nenum ${totalsTypes(kind).group} {\n${values.join('')}}\n`;
}

function totalsType({ kind, rootField }: Endpoint): string {
  const { totals, total } = totalsTypes(kind);
  return `"Totals of ${words(kind)}s."
type ${totals} {
  """
  The groups, in order of what they are grouped by: first by the first of \`groupBy\`. Ids and texts are in the order of their
  characters, months from the earliest one on, and null comes last.
  """
  groups: [${total}!]!
  "Rows that the groups count, together."
  rows: Int!
  "True: no row of \`${rootField}\` that matches is missing, as far as the service shows them."
  complete: Boolean!
  "Why rows may be missing. Null when complete."
  reason: String
}
`;
}

function totalType(contract: Contract, kind: string, { groupBy, month, unit, sums, inside }: Declared): string {
  const fields = [
    ...groupBy.flatMap((field) =>
      keyFields(contract, kind, field, 'Null where the rows have none, or are not grouped by it.'),
    ),
    ...(month === undefined
      ? []
      : [
          `  "Month of \`${month}\` in UTC, as YYYY-MM. Null where the rows have none, or are not grouped by it."\n  month: String\n`,
        ]),
    ...(unit === undefined ? [] : keyFields(contract, kind, unit, 'Null where the rows have none.')),
    '  "Rows."\n  count: Int!\n',
    ...sums.map((field) => sumField(field)),
    ...inside.map((each) => {
      const text = `Sums of \`${each.of}\` by \`${each.by}\`, in the order of ids. Those without it do not count.`;
      return `${described(text, '  ')}  ${each.field}: [${insideType(kind, each)}!]!\n`;
    }),
  ];
  const apart = unit === undefined ? '' : ` of one ${words(unit)}`;
  return `"The ${words(kind)}s of one group${apart}."\ntype ${totalsTypes(kind).total} {\n${fields.join('')}}\n`;
}

function insideTypeSdl(contract: Contract, kind: string, { unit }: Declared, each: Declared['inside'][number]): string {
  const type = contract.types.get(kind)?.embedded[each.of] ?? '';
  const fields = [
    ...keyFields(contract, type, each.by).map((field) => field.replace(/\n$/, ' @semanticNonNull\n')),
    ...(unit === undefined ? [] : keyFields(contract, type, unit, 'Null where they have none.')),
    `  "Those of the group: \`${each.of}\`, not rows."\n  count: Int!\n`,
    ...each.sums.map((field) => sumField(field)),
  ];
  const text = `The \`${each.of}\` of one ${words(each.by)}, in one group of ${words(kind)}s.`;
  return `${described(text, '')}type ${insideType(kind, each)} {\n${fields.join('')}}\n`;
}

function balanceSdl(contract: Contract, endpoint: Endpoint, each: Declared['balances'][number]): string {
  const { kind, rootField } = endpoint;
  const { balance, item, items } = balanceTypes(each);
  const rows = `${words(kind)}s`;
  const { type, field, description, of, sum, left } = each;
  const price = `Costs pages of \`${rootField}\`, read once for all objects.`;
  const leftText = `Exact sum of \`${left}\` of the ${rows} that came in, as the service says it.`;
  return `extend type ${type} {\n${described(`${description} ${price}`, '  ')}  ${field}${argumentList(ownFilters(endpoint))}: ${balance} @semanticNonNull\n}

"Came in and went out, by ${words(of)}."
type ${balance} {
  "One for each ${words(of)}, in the order of ids. Null comes last."
  ${items}: [${item}!]!
  "${upper(rows)} that count, together."
  rows: Int!
  "True: no row of \`${rootField}\` that matches is missing, as far as the service shows them."
  complete: Boolean!
  "Why rows may be missing. Null when complete."
  reason: String
}

"Came in and went out of one ${words(of)}."
type ${item} {
${keyFields(contract, kind, of, 'Null where the rows have none.').join('')}  "Exact sum of the \`${sum}\` that came in."
  in: Decimal @semanticNonNull
  "Exact sum of the \`${sum}\` that went out."
  out: Decimal @semanticNonNull
  "\`in\` less \`out\`. Losses and corrections that no row records are not in it."
  stock: Decimal @semanticNonNull
${left === undefined ? '' : `${described(leftText, '  ')}  left: Decimal @semanticNonNull\n`}}
`;
}

/** The object and its id, or an enum and its text, or a text. */
function keyFields({ types }: Contract, type: string, field: string, nulls?: string): string[] {
  const { properties = {}, references = {} } = types.get(type) ?? {};
  const reference = references[field];
  if (reference) {
    return [
      `${described([`${upper(words(field))}.`, nulls].filter(Boolean).join(' '), '  ')}  ${field}: ${reference.to}\n`,
      `  "Id of \`${field}\`. No call."\n  ${field}_id: ID\n`,
    ];
  }
  const enumType = enumTypeOf(properties[field]);
  const shown = described([`The \`${field}\` of the rows.`, nulls].filter(Boolean).join(' '), '  ');
  if (!enumType) return [`${shown}  ${field}: String\n`];
  return [
    `${shown}  ${field}: ${enumType}\n`,
    `  "Text of \`${field}\`, as the service sends it."\n  ${field}_raw: String\n`,
  ];
}

/** The type of the graph for a property with an enum, where the contract names it. */
export function enumTypeOf(property: Schema | undefined): string | undefined {
  return property?.enum && property['x-type'];
}

function sumField(field: string): string {
  const text = `Exact sum. Rows without \`${field}\` add nothing; null where no row has one, and with an error where one is no number.`;
  return `${described(text, '  ')}  ${field}: Decimal\n`;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
