import type { Contract, Endpoint } from './contract.ts';
import { pluralOf } from './id-properties.ts';

/** The name of an operation. Others than those of people give way to names of the kind. */
export function operationName(given: string, does: Endpoint['does'], method: string, kind: string): string {
  if (does === 'list') return /^list[A-Z]\w*$/.test(given) ? given : `list${pluralOf(kind)}`;
  if (does === 'get') return /^get(?!All|By|One)[A-Z]\w*$/.test(given) ? given : `get${kind}`;
  const verb = { post: 'create', put: 'replace', patch: 'update', delete: 'delete' }[method];
  return verb && !/^[A-Za-z\d]+$/.test(given) ? `${verb}${kind}` : given.replaceAll(/\W+|^(?=\d)/g, '_');
}

/** `AuthorWrite` → `AuthorInput`, and of a POST `CreateAuthorInput`. A type of answers needs another name. */
export function inputOf(schema: string, types: Contract['types'], method?: Endpoint['method']): string {
  const [verb, ending] = method === 'POST' ? ['Create', 'Write'] : method ? ['Update', 'Patch'] : ['', 'Write'];
  if (schema.endsWith(ending)) return `${verb}${schema.slice(0, -ending.length)}Input`;
  return types.has(schema) ? `${schema}Input` : schema;
}

/** The enum of a property: `Card.hold_status` → `CardHoldStatus`. */
export function enumOf(type: string, field: string): string {
  return type + field.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
