import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { partFields } from '../../../src/generated/contract.ts';
import { type ArgumentChoice, type ArgumentValue, argumentsOf } from './arguments.ts';
import type { World } from './world.ts';

/** The gateway's own limit. */
const maxDepth = 10;

type Field = GraphQLField<unknown, unknown>;
type FieldsType = GraphQLObjectType | GraphQLInterfaceType;

/** A selection as numbers, which the writer reads against the type at hand. Smaller numbers give a document too. */
export interface Choice {
  /** Whether to go deeper, where the type lets it. */
  isDeep: boolean;
  /** Chooses the field. */
  pick: number;
  /** A field, an alias, a fragment. */
  form: number;
  directive: number;
  children: Choice[];
}

export interface RootChoice {
  pick: number;
  args: ArgumentChoice;
  /** From 6 on it repeats the field before: under its name, under another one, or with other arguments. */
  likeness: number;
  areVariables: boolean;
  children: Choice[];
}

export interface Operation {
  document: string;
  variables: Record<string, unknown>;
}

/** Where a selection set stands: the fields above it, and how often it is about to be filled. */
interface Place {
  depth: number;
  rows: number;
}

interface Fragment {
  name: string;
  type: string;
  text: string;
  /** Fields below each other in it. */
  height: number;
  /** Cost of one row. */
  calls: number;
  fields: number;
}

interface Written {
  text: string;
  height: number;
}

/** Items of a list of the sandbox, roughly. */
const lengths: Record<string, number> = { products: 12, parents: 4, transaction_payments: 2, submissions: 1 };

/** REST calls for one reference, at most: what has no GET by id is read as a whole list. */
const prices: Record<string, number> = {
  ...{ Entity: 2, Company: 1, User: 1, ProductTransaction: 1, Product: 1 },
  // A list that is looked through is long.
  ...{ ProductTransactionRows: 8, PaymentTransactionRows: 8 },
};

/** Arguments of a list below the root, by its alias, so that equal keys have equal arguments. They give this many rows. */
const limits: Record<string, { args: string; rows: number }> = {
  '': { args: '', rows: 5 },
  a_: { args: '(limit: 2)', rows: 2 },
  b_: { args: '(limit: $few)', rows: 3 },
};

const conditions = [
  '@skip(if: true)',
  '@skip(if: false)',
  '@include(if: true)',
  '@include(if: false)',
  '@skip(if: $yes)',
  '@skip(if: $no)',
  '@include(if: $yes)',
  '@include(if: $no)',
];

/** Reads choices as a document, while its means last: then only leaves are left. */
export class DocumentWriter {
  readonly #schema: GraphQLSchema;
  readonly #world: World;
  readonly #fragments: Fragment[] = [];
  readonly #declarations: string[] = [];
  readonly #variables: Record<string, unknown> = {};
  /** REST calls that the operation may cost. */
  #calls = 120;
  /** Fields that it may select, of the thousand that the gateway allows. */
  #fields = 900;

  constructor(schema: GraphQLSchema, world: World) {
    this.#schema = schema;
    this.#world = world;
  }

  write(choices: RootChoice[]): Operation {
    // A field without arguments shows the caller, whom no claim names here. The world has no arguments for fields of parts.
    const { ids, counts } = this.#world;
    const all = fieldsOf(this.#schema.getQueryType()!).filter(
      ({ name, type, args }) => !isLeafType(getNamedType(type)) && args.length > 0 && (name in ids || name in counts),
    );
    // Most references start from transactions and farmers.
    const roots = [...all, ...all.filter(({ name }) => /farmers|Transaction|company/.test(name))];
    const fields: string[] = [];
    let root: { name: string; field: Field; args: string; rows: number } | undefined;
    choices.forEach((choice, index) => {
      const { likeness } = choice;
      const name = root && likeness >= 6 && likeness <= 7 ? root.name : `r${index}`;
      const field = root && likeness >= 6 ? root.field : roots[choice.pick % roots.length]!;
      const { args, rows } = root && likeness >= 6 && likeness <= 8 ? root : this.#arguments(field, choice);
      root = { name, field, args, rows };
      const place = { depth: 1, rows };
      const below = this.#selectionSet(getNamedType(field.type) as FieldsType, choice.children, place);
      fields.push(`${name}: ${field.name}${args} ${below.text}`);
    });
    const body = `{ ${fields.join(' ') || '__typename'} }`;
    const definitions = this.#fragments.map(({ name, type, text }) => `fragment ${name} on ${type} ${text}`);
    const used = [body, ...definitions].join('\n');
    for (const [name, value] of Object.entries({ yes: true, no: false })) {
      if (!used.includes(`$${name})`)) continue;
      // One comes with the request, the other is a default.
      this.#declarations.push(value ? `$${name}: Boolean!` : `$${name}: Boolean! = false`);
      if (value) this.#variables[name] = value;
    }
    if (used.includes('$few)')) this.#declarations.push('$few: Int = 3');
    const head = this.#declarations.length > 0 ? `query (${this.#declarations.join(', ')}) ` : '';
    return { document: `${head}${used}`, variables: this.#variables };
  }

  #arguments(field: Field, choice: RootChoice): { args: string; rows: number } {
    const { args, rows } = argumentsOf(field.name, choice.args, this.#world);
    const texts = Object.entries(args).map(
      ([name, value]) => `${name}: ${choice.areVariables ? this.#variable(field, name, value) : JSON.stringify(value)}`,
    );
    this.#calls -= 2;
    return { args: texts.length > 0 ? `(${texts.join(', ')})` : '', rows };
  }

  #variable({ args }: Field, argument: string, value: ArgumentValue): string {
    const name = `v${this.#declarations.length}`;
    this.#declarations.push(`$${name}: ${args.find((each) => each.name === argument)!.type}`);
    this.#variables[name] = value;
    return `$${name}`;
  }

  #selectionSet(type: FieldsType, choices: Choice[], place: Place): Written {
    const written = choices.map((choice) => this.#selection(type, choice, place));
    const least = 'id' in type.getFields() && isObjectType(type) ? 'id' : '__typename';
    if (written.length === 0) written.push({ text: least, height: 1 });
    // Without it, the test cannot know that rows are missing.
    if (type.name.endsWith('Rows')) written.push({ text: 'complete', height: 1 });
    return {
      text: `{ ${written.map(({ text }) => text).join(' ')} }`,
      height: Math.max(...written.map(({ height }) => height)),
    };
  }

  #selection(type: FieldsType, choice: Choice, place: Place): Written {
    const { form } = choice;
    if (form >= 38) return { text: '__typename', height: 1 };
    if (form >= 33) return this.#spread(type, choice, place);
    if (form >= 28) return this.#inlineFragment(type, choice, place);
    return this.#field(type, choice, place);
  }

  #field(type: FieldsType, choice: Choice, place: Place): Written {
    const field = this.#pickField(type, choice, place);
    const alias = aliasOf(type, field, choice.form);
    const list = field.args.length > 0 ? limits[alias.slice(0, 2)] : undefined;
    const rows =
      place.rows *
      (list?.rows ?? 1) *
      (isListType(getNullableType(field.type)) && 'id' in type.getFields() ? (lengths[field.name] ?? 3) : 1);
    this.#calls -= priceOf(type, field, rows);
    this.#fields -= 1;
    const head = `${alias}${field.name}${list?.args ?? ''}${this.#directive(choice)}`;
    const target = getNamedType(field.type);
    if (!isCompositeType(target)) return { text: head, height: 1 };
    const below = this.#selectionSet(target as FieldsType, choice.children, { depth: place.depth + 1, rows });
    return { text: `${head} ${below.text}`, height: below.height + 1 };
  }

  #pickField(type: FieldsType, { isDeep, pick }: Choice, { depth, rows }: Place): Field {
    const fields = fieldsOf(type);
    const leaves = fields.filter((field) => !isCompositeType(getNamedType(field.type)));
    // A page is read for its rows.
    const isPage = 'pageInfo' in type.getFields();
    const objects = fields.filter((field) => {
      if (leaves.includes(field) || depth + 2 > maxDepth || this.#fields < 50) return false;
      return priceOf(type, field, rows * (lengths[field.name] ?? 3)) <= this.#calls;
    });
    const pool =
      objects.length > 0 && (isDeep || isPage || leaves.length === 0)
        ? isPage && !isDeep && pick % 4 === 3
          ? leaves
          : objects
        : leaves;
    return (pool.length > 0 ? pool : fields)[pick % (pool.length || fields.length)]!;
  }

  #inlineFragment(type: FieldsType, choice: Choice, place: Place): Written {
    const condition = this.#conditionFor(type, choice);
    const on = choice.form === 28 ? '' : ` on ${condition.name}`;
    const below = this.#selectionSet(on ? condition : type, choice.children, place);
    return { text: `...${on}${this.#directive(choice)} ${below.text}`, height: below.height };
  }

  #spread(type: FieldsType, choice: Choice, place: Place): Written {
    const condition = this.#conditionFor(type, choice);
    const known = this.#fragments.filter((each) => each.type === condition.name && this.#affords(each, place));
    let fragment = choice.form >= 35 ? known[choice.pick % known.length] : undefined;
    if (fragment) {
      this.#calls -= fragment.calls * place.rows;
      this.#fields -= fragment.fields;
    } else {
      const before = { calls: this.#calls, fields: this.#fields };
      const { text, height } = this.#selectionSet(condition, choice.children, place);
      fragment = {
        name: `F${this.#fragments.length}`,
        type: condition.name,
        text,
        height,
        calls: (before.calls - this.#calls) / Math.max(1, place.rows),
        fields: before.fields - this.#fields,
      };
      this.#fragments.push(fragment);
    }
    const spread = `...${fragment.name}`;
    // A field left out at one place of a selection may be selected at another.
    const twice = ` ${conditions[choice.directive % conditions.length]} ${spread}`;
    return { text: spread + (choice.form === 37 ? twice : this.#directive(choice)), height: fragment.height };
  }

  #affords({ height, calls, fields }: Fragment, { depth, rows }: Place): boolean {
    return depth + height <= maxDepth && calls * rows <= this.#calls && fields < this.#fields;
  }

  /** A type that a fragment may be on where a selection of `type` stands. */
  #conditionFor(type: FieldsType, { pick }: Choice): FieldsType {
    const possible: readonly FieldsType[] = isAbstractType(type) ? this.#schema.getPossibleTypes(type) : [];
    const types: FieldsType[] = [type, ...possible, ...type.getInterfaces()];
    return types[pick % types.length]!;
  }

  #directive({ directive }: Choice): string {
    const condition = conditions[directive - 48];
    return condition ? ` ${condition}` : '';
  }
}

/** The fields of a type, without those of parts, which the reference executor lacks. */
function fieldsOf(type: FieldsType): Field[] {
  const ofParts = (partFields as Readonly<Record<string, readonly string[]>>)[type.name] ?? [];
  return Object.values(type.getFields()).filter(({ name }) => !ofParts.includes(name));
}

/** REST calls that a field may cost where its type is filled `rows` times. */
function priceOf(type: FieldsType, field: Field, rows: number): number {
  const target = getNamedType(field.type);
  // The root counts pages and their rows. Payments in a transaction, and forms with their parts, are embedded.
  const isRead = isCompositeType(target) && 'id' in type.getFields();
  if (!isRead) return 0;
  if (type.name === 'PaymentTransaction' && target.name === 'Card') return 3 * rows;
  return (prices[target.name] ?? 0) * rows;
}

/** An alias keeps two selections of a field apart. The name of another field misleads code that reads names. */
function aliasOf(type: FieldsType, field: Field, form: number): string {
  if (form < 18) return '';
  if (form < 22) return `a_${field.name}: `;
  if (form < 26 || field.args.length > 0) return `b_${field.name}: `;
  const others = Object.values(type.getFields()).filter(
    (other) => other !== field && String(other.type) === String(field.type),
  );
  const other = others[field.name.length % (others.length || 1)];
  return other ? `${other.name}: ` : '';
}
