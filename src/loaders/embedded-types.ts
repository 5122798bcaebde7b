import { embedded } from '../generated/contract.ts';
import type { Kind, Target } from './kinds.ts';
import { type Reference, references } from './references.ts';

/** Places of a type that embed other objects. Computed once, because the identity map searches rows for them. */
export interface EmbeddedTypes {
  embedded: readonly { key: string; type: Target }[];
  references: readonly { field: string; reference: Reference }[];
  /** Fields that refer to a company. */
  companies: readonly string[];
}

const typesByName = new Map<string, EmbeddedTypes>();

export function embeddedTypesOf(type: string): EmbeddedTypes {
  let found = typesByName.get(type);
  if (!found) {
    const fields = Object.entries(references[type] ?? {}).map(([field, reference]) => ({ field, reference }));
    found = {
      embedded: Object.entries<Kind>(embedded[type as Kind] ?? {}).map(([key, type]) => ({ key, type })),
      references: fields,
      companies: fields.filter(({ reference }) => reference.to === 'Company').map(({ field }) => field),
    };
    typesByName.set(type, found);
  }
  return found;
}

/** Farmers, companies and entities share a table, because a row that embeds one does not name its kind. */
export function tableOf(target: string): string {
  return target === 'Farmer' || target === 'Company' ? 'Entity' : target;
}

const tables = new Map<string, ReadonlySet<string>>();

/** Tables of the objects that a type may embed, at any depth. */
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
  const referred = fields.filter(({ reference }) => mayBeObject(reference)).map(({ reference }) => reference.to);
  for (const target of [...children.map((child) => child.type), ...referred]) {
    if (!found.has(target)) typesBelow(target, found.add(target));
  }
  return found;
}

/** Other references are ids in every answer. An unexpected object there costs one call. */
function mayBeObject({ details, within, noIdField, expandedById, mayBeEmbedded }: Reference): boolean {
  return details !== undefined || within !== undefined || noIdField || expandedById || mayBeEmbedded || false;
}

/** Stands for all tables, because any row may show the kind of an entity. */
export const anyTable = '*';

export function leadsTo(type: string, table: string): boolean {
  return table === anyTable || tableOf(type) === table || embeddedIn(type).has(table);
}
