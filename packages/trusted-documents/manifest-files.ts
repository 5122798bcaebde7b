import { constants, existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { addManifest, type DocumentsById, type ManifestCheck, type TrustedDocument } from './trusted-document.ts';

const { open, readdir, stat } = fs;
/** In Node 20, which has no globs, a pattern is a path. */
const glob: (pattern: string) => AsyncIterable<string> = fs.glob ?? existing;

async function* existing(path: string): AsyncIterable<string> {
  if (existsSync(path)) yield path;
}

/** Bytes. To parse more takes other requests too long. */
const maxFileSize = 32 * 1024 * 1024;

/**
 * The documents of all manifests. The patterns are paths, globs and folders.
 * @throws Error that names the first bad file, its operation, and what is wrong.
 */
export async function readManifests(patterns: readonly string[], check: ManifestCheck): Promise<DocumentsById> {
  const files = new Set<string>();
  for (const pattern of patterns) for (const file of await filesOf(pattern)) files.add(file);
  const documents = new Map<string, TrustedDocument>();
  for (const file of files) {
    try {
      await addManifest(documents, await readText(file), check);
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`);
    }
  }
  return documents;
}

/**
 * The files that a path or a glob names, by name. A folder stands for its JSON files, and may be empty.
 * @throws Error where the pattern names nothing.
 */
async function filesOf(pattern: string): Promise<string[]> {
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

/**
 * Never waits for a pipe, and never reads a device without an end. A link in the folder may lead to one.
 * @throws Error for a file that is not regular, or too large.
 */
async function readText(file: string): Promise<string> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = await handle.stat();
  if (!stats.isFile()) throw new Error('This is a pipe, a socket or a device, not a regular file.');
  if (stats.size > maxFileSize) throw tooLarge();
  // A file may grow meanwhile.
  const text = await textOf(handle.createReadStream({ end: maxFileSize }));
  if (Buffer.byteLength(text) > maxFileSize) throw tooLarge();
  return text;
}

function tooLarge(): Error {
  return new Error('The file has more than 32 MiB: give its documents in several files.');
}
