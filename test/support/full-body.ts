import { type Schema, schemaNamed } from '../../packages/contract/codegen/openapi.ts';
import type { Answer } from './client.ts';
import { describedContract } from './described-contract.ts';
import { idName } from './ids-by-kind.ts';

const { schemas } = describedContract();

/**
 * Gives the full `example` of a request body. Nested bodies have their own examples. References get an id of their kind
 * out of `ids`, by names such as `entityCard`.
 */
export function fullBody(name: string, ids: Readonly<Record<string, string>>): Answer['data'] {
  const schema = schemaNamed(schemas, name);
  if (!schema?.properties) throw new Error(`The document has no body ${name}.`);
  const entries = Object.entries(schema.properties).map(([field, property]) => {
    const value = property.items ? [valueFor(property.items, ids)] : valueFor(property, ids);
    const shown = value ?? schema.example?.[field];
    if (shown === undefined && !property['x-reference']) throw new Error(`The example of ${name} lacks ${field}.`);
    return [field, shown];
  });
  const others = Object.keys(schema.example ?? {}).filter((field) => !(field in (schema.properties ?? {})));
  if (others.length > 0) throw new Error(`${name} has no ${others}, which its example has.`);
  return Object.fromEntries(entries);
}

function valueFor({ $ref, 'x-reference': reference }: Schema, ids: Readonly<Record<string, string>>): unknown {
  if ($ref) return fullBody($ref, ids);
  return reference && ids[idName(reference.probeFirst ?? reference.to)];
}
