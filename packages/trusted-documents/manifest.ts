import { isObject } from '@gateway/base';

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
