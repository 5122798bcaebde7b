/**
 * Files of the editor. A variable of type Upload holds the label of its file as text. The variables so show the file of
 * each tab, and no other operation sends it. Memory holds the files themselves. After a reload, a label has no file until
 * its user chooses the same file again.
 */

const chosen = new Map<string, File>();

/** Returns the label of the file, for the variable. Files of one name, and states of one file, have different labels. */
export function choose(file: File): string {
  const changed = new Date(file.lastModified).toISOString().slice(0, 19).replace('T', ' ');
  const label = `${file.name} (${file.size.toLocaleString('en')} ${file.size === 1 ? 'byte' : 'bytes'}, changed ${changed})`;
  chosen.set(label, file);
  return label;
}

export function isChosen(label: unknown): boolean {
  return typeof label === 'string' && chosen.has(label);
}

export interface Upload {
  label: string;
  /** The body of the request, as the GraphQL multipart request specification says; the file comes last. */
  form: FormData;
}

/**
 * The upload of an operation; undefined where its variables name no file. `names`: the variables of type Upload.
 * @throws Error where memory does not hold the file, and where there are two: the gateway takes one for each request.
 */
export function uploadOf(
  operation: { query?: string; variables?: Record<string, unknown> },
  names: readonly string[],
): Upload | undefined {
  const { variables = {} } = operation;
  const bound = names.filter((name) => typeof variables[name] === 'string');
  const [name] = bound;
  if (name === undefined) return undefined;
  if (bound.length > 1) {
    throw new Error(
      `The gateway takes one file for each request, and ${bound.map((one) => `$${one}`).join(', ')} have one.`,
    );
  }
  const label = String(variables[name]);
  const file = chosen.get(label);
  if (!file) throw new Error(`The file of $${name} is not at hand: choose it under "Files".`);
  const form = new FormData();
  form.append('operations', JSON.stringify({ ...operation, variables: { ...variables, [name]: null } }));
  form.append('map', JSON.stringify({ 0: [`variables.${name}`] }));
  form.append('0', file);
  return { label, form };
}
