import type { CreateProductTransactionInput } from '../generated/graph.ts';
import type { RequestContext } from '../graphql/context.ts';
import type { FieldError } from '../graphql/errors/codes.ts';
import { isInternalNumber } from '../loaders/references.ts';
import { companiesOf, PartLookup } from './part-lookup.ts';

/**
 * Refuses fields that the form of a submission does not have, and fields that occur twice, by id or by key. Real deployments
 * fail on both, and store nothing. What a form has is unknown where no answer shows it.
 */
export async function fieldMistakes(
  { submissions, source, destination }: CreateProductTransactionInput,
  context: RequestContext,
): Promise<FieldError[]> {
  const companies = companiesOf(context, 'submissions', destination, source);
  const forms = new PartLookup(context, 'Form', 'submissions', companies);
  const found: FieldError[] = [];
  for (const [index, { form, values }] of (submissions ?? []).entries()) {
    const seen = new Set<string>();
    for (const [position, { field }] of values.entries()) {
      const fields = isInternalNumber(field) ? undefined : await forms.partsOf(form, field).catch(() => undefined);
      const id = fields?.get(field) ?? field;
      const path = ['input', 'submissions', index, 'values', position, 'field'];
      if (seen.has(id)) found.push({ path, message: 'This field occurs more than once.' });
      else if (fields && !fields.has(field)) found.push({ path, message: 'The form has no field of this id or key.' });
      seen.add(id);
    }
  }
  return found;
}
