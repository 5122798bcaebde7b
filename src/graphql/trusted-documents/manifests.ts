import { glob, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../lib/json.ts';

/** A document from the build of an app, and the id by which the app asks for the document. */
export interface PersistedDocument {
  id: string;
  text: string;
}

/**
 * The documents of a manifest: Apollo's form, or an object from id to text as Relay and graphql-codegen write it.
 * @throws Error for another form, and for invalid JSON.
 */
export function readManifest(text: string): PersistedDocument[] {
  const manifest: unknown = JSON.parse(text);
  const documents = isObject(manifest) ? documentsOf(manifest) : [];
  if (documents.length === 0 || !documents.every(isDocument)) {
    throw new Error('This is no manifest of persisted documents.');
  }
  return documents;
}

type Entry = { [Key in keyof PersistedDocument]: unknown };

function documentsOf(manifest: Record<string, unknown>): Entry[] {
  if (!Array.isArray(manifest.operations)) return Object.entries(manifest).map(([id, text]) => ({ id, text }));
  return manifest.operations.map((entry: unknown) =>
    isObject(entry) ? { id: entry.id, text: entry.body } : { id: undefined, text: undefined },
  );
}

function isDocument(entry: Entry): entry is PersistedDocument {
  return typeof entry.id === 'string' && typeof entry.text === 'string';
}

/**
 * The files that a path or a glob names, by name. A folder stands for its JSON files, and may be empty.
 * @throws Error where the pattern names nothing.
 */
export async function filesOf(pattern: string): Promise<string[]> {
  const files: string[] = [];
  let isNamed = false;
  for await (const path of glob(pattern)) {
    isNamed = true;
    // A link whose target is missing is a file that cannot be read.
    const isFolder = await stat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!isFolder) files.push(path);
    else for (const name of await readdir(path)) if (isManifest(name)) files.push(join(path, name));
  }
  if (!isNamed) throw new Error(`There is no file or folder ${pattern}.`);
  return files.toSorted();
}

/** Editors and Kubernetes put names with a dot beside the files. */
function isManifest(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.');
}
