import { type Contract, type Endpoint, isWhole, kindsOf, scalarOf, sharedIdMistakes } from '@gateway/contract/codegen';
import { balanceTypes, groupName, insideType, month as monthName, totalsTypes } from './declared.ts';
import { declaredBy, key, withTotals } from './key.ts';

/** Fields that every total has. */
const reserved = ['count', 'rows', 'month'];

/** Mistakes of one `x-totals`, each with its YAML path. */
export function mistakesOf(contract: Contract, endpoint: Endpoint): string[] {
  const { types, dialects } = contract;
  const { at, kind, does, filters } = endpoint;
  const { groupBy, month, unit, sums, inside, on, balances } = declaredBy(endpoint);
  const place = `${at}.${key}`;
  const mistakes: string[] = [];
  const require = (isRight: unknown, path: string, message: string) => {
    if (!isRight) mistakes.push(`${place}${path}: ${message}`);
  };
  require(does === 'list' && isWhole(endpoint), '', 'needs a list without an id in its path');
  const others = withTotals(contract).filter((other) => other.kind === kind);
  require(others.length === 1, '', `another list has totals of ${kind}`);

  for (const field of groupBy) {
    require(isKey(kind, field), '.groupBy', `${kind}.${field} is no reference, enum or text`);
    require(groupName(field) !== monthName, '.groupBy', `${field} has the name of the month`);
  }
  require(month === undefined || isTime(kind, month), '.month', `${kind}.${month} is no time`);
  require(unit === undefined || isReference(kind, unit), '.unit', `${kind}.${unit} refers to no object`);
  requireSums(kind, sums, '.sums');
  const shown = [...groupBy, ...sums, ...inside.map(({ field }) => field), ...(unit === undefined ? [] : [unit])];
  for (const name of shown) {
    const isFree = !reserved.includes(name) && shown.indexOf(name) === shown.lastIndexOf(name);
    require(isFree, '', `a total has two fields \`${name}\``);
  }

  for (const [index, each] of inside.entries()) {
    const path = `.inside.${index}`;
    const type = types.get(kind)?.embedded[each.of];
    require(type && types.get(kind)?.properties[each.of]?.items, `${path}.of`, `${kind}.${each.of} embeds no list`);
    if (type === undefined) continue;
    require(isReference(type, each.by), `${path}.by`, `${type}.${each.by} refers to no object`);
    require(unit === undefined || isReference(type, unit), `${path}.of`, `${type} has no reference ${unit}`);
    requireSums(type, each.sums, `${path}.sums`);
  }

  for (const [index, { type, field, of, by }] of on.entries()) {
    const path = `.on.${index}`;
    requireField(type, field, path);
    for (const name of of) require(refersTo(name, type), `${path}.of`, `${kind}.${name} does not refer to ${type}`);
    if (by === undefined) continue;
    const filter = filters.find(({ name }) => name === by);
    require(filter, `${path}.by`, `the list has no parameter ${by}`);
    const asked = kindsOf(contract, filter?.schema['x-reference']?.to);
    require(!filter ||
      asked.includes(type), `${path}.by`, `${by} needs an x-reference to ${type}, whose rows it asks for`);
  }

  for (const [index, balance] of balances.entries()) {
    const path = `.balances.${index}`;
    requireField(balance.type, balance.field, path);
    for (const side of ['in', 'out'] as const)
      require(refersTo(
        balance[side],
        balance.type,
      ), `${path}.${side}`, `${kind}.${balance[side]} does not refer to ${balance.type}`);
    require(isReference(kind, balance.of), `${path}.of`, `${kind}.${balance.of} refers to no object`);
    requireSums(kind, [balance.sum], `${path}.sum`);
    if (balance.left !== undefined) requireSums(kind, [balance.left], `${path}.left`);
  }

  const found = [...on.flatMap(({ of }) => of), ...balances.flatMap((each) => [each.in, each.out, each.of])];
  const targets = [...groupBy, ...found].map((field) => types.get(kind)?.references[field]?.to);
  mistakes.push(...sharedIdMistakes(contract, place, targets));
  for (const name of typesOf(endpoint)) require(!types.has(name), '', `the service has a type ${name}`);
  return mistakes;

  function isReference(type: string, field: string): boolean {
    const reference = types.get(type)?.references[field];
    return reference !== undefined && !reference.list;
  }

  function isKey(type: string, field: string): boolean {
    if (isReference(type, field)) return true;
    const { properties = {}, references = {} } = types.get(type) ?? {};
    const property = properties[field];
    return property !== undefined && !references[field] && !property.items && scalarOf(property) === 'String';
  }

  function isTime(type: string, field: string): boolean {
    const property = types.get(type)?.properties[field];
    return property !== undefined && scalarOf(property) === 'DateTime';
  }

  function requireSums(type: string, fields: readonly string[], path: string): void {
    for (const field of fields) {
      const property = types.get(type)?.properties[field];
      const isNumber = property && ['Decimal', 'Float', 'Int'].includes(scalarOf(property));
      require(isNumber, path, `${type}.${field} is no number`);
    }
  }

  function requireField(type: string, field: string, path: string): void {
    require(types.has(type), `${path}.type`, `the service has no type ${type}`);
    const isProperty =
      types.get(type)?.properties[field] ?? Object.values(dialects).some((places) => places[type]?.[field]);
    require(!isProperty, `${path}.field`, `${type} has a property ${field}`);
  }

  function refersTo(field: string, type: string): boolean {
    return kindsOf(contract, types.get(kind)?.references[field]?.to).includes(type);
  }
}

/** The types that the totals of a list add. */
function typesOf(endpoint: Endpoint): string[] {
  const { kind } = endpoint;
  const { inside, balances } = declaredBy(endpoint);
  const { group, totals, total } = totalsTypes(kind);
  return [
    ...[group, totals, total],
    ...inside.map((each) => insideType(kind, each)),
    ...balances.flatMap((each) => [balanceTypes(each).balance, balanceTypes(each).item]),
  ];
}
