import { jsonOrUndefined } from '@gateway/base';
import { parse } from 'yaml';
import { z } from 'zod';
import { ContractError } from './contract-error.ts';
import type { ContractPart } from './contract-part.ts';
import { normalForm } from './normal-form.ts';
import { documentWith, type OpenApi } from './openapi.ts';
import { suggestedWire } from './suggestions.ts';

/**
 * `parts`: those whose keys the document may have.
 * @throws ContractError that names the YAML path of every mistake.
 */
export function parseOpenApi(text: string, parts: readonly ContractPart[]): OpenApi {
  const addedBy = (of: 'keys' | 'schemeKeys') =>
    z.object(Object.assign({}, ...parts.map((part) => part[of]))).partial().shape;
  const form = normalForm(yamlOf(text));
  const { data, error } = documentWith(addedBy('keys'), addedBy('schemeKeys')).safeParse(form);
  if (!error) return data;
  const mistakes = error.issues.flatMap((issue) => describe(issue, []));
  const advised = (mistake: string) => (mistake === 'x-wire: is missing' ? `, perhaps ${suggestedWire(form)}` : '');
  throw new ContractError(mistakes.map((mistake) => mistake + advised(mistake)));
}

function yamlOf(text: string): unknown {
  try {
    return jsonOrUndefined(text) ?? parse(text);
  } catch (error) {
    throw new ContractError([`The document is no YAML: ${(error as Error).message}`]);
  }
}

const unknownKey =
  'not a known key. Correct it, or leave it out; a key of a part needs the part (--part, or `parts` of the description)';

function describe(issue: z.core.$ZodIssue, above: PropertyKey[]): string[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${[...path, key].join('.')}: ${unknownKey}`);
  if (issue.code === 'invalid_union') {
    // The form that comes nearest has the fewest mistakes.
    const [nearest] = issue.errors.toSorted((a, b) => a.length - b.length);
    if (nearest?.length) return nearest.flatMap((inner) => describe(inner, path));
  }
  if (issue.code === 'invalid_key') return issue.issues.flatMap((inner) => describe(inner, path));
  const isMissing = issue.message.endsWith('received undefined');
  return [`${path.join('.')}: ${isMissing ? 'is missing' : issue.message.replace('Invalid input: ', '')}`];
}
