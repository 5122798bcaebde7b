import { embedded } from '../generated/contract.ts';
import type { Kind, Target } from './kinds.ts';
import { type Reference, references } from './references.ts';

/** Where objects of a type hold others, worked out once: every row of every answer may be looked through for them. */
export interface EmbeddedTypes {
  embedded: readonly { key: string; type: Target }[];
  references: readonly { field: string; reference: Reference }[];
  /** Fields that refer to a company, whatever else the type refers to. */
  companies: readonly string[];
}

const holdings = new Map<string, EmbeddedTypes>();

export function embeddedTypesOf(type: string): EmbeddedTypes {
  let holding = holdings.get(type);
  if (!holding) {
    const fields = Object.entries(references[type] ?? {}).map(([field, reference]) => ({ field, reference }));
    holding = {
      embedded: Object.entries<Kind>(embedded[type as Kind] ?? {}).map(([key, type]) => ({ key, type })),
      references: fields,
      companies: fields.filter(({ reference }) => reference.to === 'Company').map(({ field }) => field),
    };
    holdings.set(type, holding);
  }
  return holding;
}

/** Farmers, companies and entities are looked for together: the rows that embed them do not say which they are. */
export function tableOf(target: string): string {
  return target === 'Farmer' || target === 'Company' ? 'Entity' : target;
}

const tables = new Map<string, ReadonlySet<string>>();

/** The tables of which objects may be embedded in one of this type, however deep. */
export function embeddedIn(type: string): ReadonlySet<string> {
  let found = tables.get(type);
  if (!found) {
    found = new Set([...typesBelow(type, new Set())].map(tableOf));
    tables.set(type, found);
  }
  return found;
}

function typesBelow(type: string, found: Set<string>): Set<string> {
  const { embedded: children, references: fields } = embeddedTypesOf(type);
  const held = fields.filter(({ reference }) => mayBeObject(reference)).map(({ reference }) => reference.to);
  for (const target of [...children.map((child) => child.type), ...held]) {
    if (!found.has(target)) typesBelow(target, found.add(target));
  }
  return found;
}

/** Other references are ids in every answer of the service. One that is not after all costs a call, and no more. */
function mayBeObject({ details, within, noIdField: leafless, expandedById, mayBeEmbedded }: Reference): boolean {
  return details !== undefined || within !== undefined || leafless || expandedById || mayBeEmbedded || false;
}

/** Stands for all tables: what rows say of the kinds of entities is anywhere in them. */
export const anyTable = '*';

export function leadsTo(type: string, table: string): boolean {
  return table === anyTable || tableOf(type) === table || embeddedIn(type).has(table);
}
