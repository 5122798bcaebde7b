import type { CreateProductTransactionInput } from '../generated/graph.ts';
import type { RequestContext } from '../graphql/context.ts';
import type { FieldError } from '../graphql/errors/codes.ts';
import { isInternalNumber } from '../loaders/references.ts';
import { companiesOf, PartLookup } from './part-lookup.ts';

/**
 * Refuses fields that the form of a submission does not have, on which real deployments fail. The service stores nothing
 * then. A form that no answer shows passes therefore.
 */
export async function fieldMistakes(
  { submissions, source, destination }: CreateProductTransactionInput,
  context: RequestContext,
): Promise<FieldError[]> {
  const companies = companiesOf(context, 'submissions', destination, source);
  const forms = new PartLookup(context, 'Form', 'submissions', companies);
  const found: FieldError[] = [];
  for (const [index, { form, values }] of (submissions ?? []).entries()) {
    for (const [position, { field }] of values.entries()) {
      if (isInternalNumber(field)) continue;
      const fields = await forms.partsOf(form, field).catch(() => undefined);
      if (!fields || fields.has(field)) continue;
      const path = ['input', 'submissions', index, 'values', position, 'field'];
      found.push({ path, message: 'The form has no field of this id or key.' });
    }
  }
  return found;
}
