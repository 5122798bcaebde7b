/**
 * Files of the editor. A variable of type Upload holds the label of its file as text: what a tab sends is seen in its
 * variables, and a file can go out with no operation that does not name it. The files themselves are kept in memory;
 * a label from before a reload has none any more, until the same file is chosen again.
 */

const chosen = new Map<string, File>();

/** @returns the label of the file, for the variable. It tells apart files of one name, and states of one file. */
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
 * The upload that an operation makes; undefined where its variables name no file.
 * @param names the variables of type Upload
 * Throws where a file is not at hand, and where there are two: the gateway takes one for each request.
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
