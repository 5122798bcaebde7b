import type { FieldError } from '@gateway/base';
import type { RequestContext } from '@gateway/rest-graph';
import type { Maybe, SubmissionInput } from '../generated/graph.ts';
import { companiesOf, PartLookup } from './part-lookup.ts';

interface Parties {
  source?: Maybe<string>;
  destination?: Maybe<string>;
}

/**
 * Refuses fields that the form of a submission lacks, and those that occur twice, by id or by key. Real deployments
 * fail on both, and store nothing. A form that no answer shows passes. `name`: the field of the input.
 */
export async function fieldMistakes(
  name: string,
  submissions: Maybe<readonly SubmissionInput[]>,
  { source, destination }: Parties,
  context: RequestContext,
): Promise<FieldError[]> {
  const companies = companiesOf(context, name, destination, source);
  const forms = new PartLookup(context, 'Form', name, companies);
  const found: FieldError[] = [];
  for (const [index, { form, values }] of (submissions ?? []).entries()) {
    const seen = new Set<string>();
    for (const [position, { field }] of values.entries()) {
      const fields = context.loaders.contract.isInternalNumber(field)
        ? undefined
        : await forms.partsOf(form, field).catch(() => undefined);
      const id = fields?.get(field) ?? field;
      const path = ['input', name, index, 'values', position, 'field'];
      if (seen.has(id)) found.push({ path, message: 'This field occurs more than once.' });
      else if (fields && !fields.has(field)) found.push({ path, message: 'The form has no field of this id or key.' });
      seen.add(id);
    }
  }
  return found;
}
