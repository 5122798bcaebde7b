import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { counter } from '../../lib/metrics.ts';
import type { DocumentCheck } from '../limits/document-check.ts';
import { filesOf } from './manifests.ts';
import { checkManifest, conflict, type DocumentsById, type TrustedDocument } from './trusted-document.ts';

/** Polls, because folders of networks send no events, and because events name links instead of their targets. */
const pollMs = 200;
/** For each file, so that looks at very many files take little CPU. */
const pollMsPerFile = 0.5;
/** Bytes. To parse more takes other requests too long. */
const maxFileSize = 32 * 1024 * 1024;
/** Looks in a row that may wait for files which change all the time. */
const maxWaits = 2;
const gone = 'gone';

interface Manifest {
  /** The stamp of the version that was read last. */
  stamp: string;
  /** The last good version. */
  documents: DocumentsById;
  /** A newer version. Another manifest has other texts under its ids. */
  next: DocumentsById | undefined;
}

/**
 * The documents of all manifests, whose files may change at any time. A bad version of a file leaves the last good one. The
 * documents of a file go with the file.
 */
export class ManifestFiles {
  readonly reads = counter('manifests_read_total', 'Versions of manifests that the gateway read, by result.', [
    'result',
  ]);
  readonly #patterns: readonly string[];
  readonly #check: DocumentCheck;
  readonly #logger: Logger;
  readonly #closing = new AbortController();
  readonly #manifests = new Map<string, Manifest>();
  /** The files of each pattern, as of the last look that found them. */
  readonly #listed = new Map<string, readonly string[]>();
  /** Bad versions, and why they are bad, by file or pattern. */
  readonly #faults = new Map<string, string>();
  /** The stamps of the last look. */
  #seen = new Map<string, string>();
  #waits = 0;
  /** Documents that are checked already. */
  #byText = new Map<string, TrustedDocument>();
  #isOpen = false;

  constructor(patterns: readonly string[], check: DocumentCheck, logger: Logger) {
    this.#patterns = patterns;
    this.#check = check;
    this.#logger = logger;
  }

  /** Files and patterns that are bad now. */
  get bad(): number {
    return this.#faults.size;
  }

  /** @throws Error that names the first bad file, its operation, and what is wrong. */
  async open(): Promise<DocumentsById> {
    this.#seen = await this.#stamps();
    await this.#read(this.#seen);
    this.#isOpen = true;
    return this.#documents();
  }

  /** Gives all documents after each change, until the close. */
  async watch(changed: (documents: DocumentsById) => void): Promise<void> {
    const { signal } = this.#closing;
    while (this.#patterns.length > 0 && !signal.aborted) {
      await pause(Math.max(pollMs, pollMsPerFile * this.#seen.size), undefined, { ref: false, signal }).catch(() => {});
      if (!signal.aborted && (await this.#look())) changed(this.#documents());
    }
  }

  close(): void {
    this.#closing.abort();
  }

  /** Returns whether other documents count now. */
  async #look(): Promise<boolean> {
    const stamps = await this.#stamps();
    const steady = [...stamps].filter(([file, stamp]) => this.#seen.get(file) === stamp);
    // A document may move to another file, so changes of several files count together.
    const isChanging = steady.length < stamps.size;
    this.#seen = stamps;
    this.#waits = isChanging && this.#waits < maxWaits ? this.#waits + 1 : 0;
    return this.#waits === 0 && this.#read(steady);
  }

  async #stamps(): Promise<Map<string, string>> {
    const files = new Set(this.#manifests.keys());
    for (const pattern of this.#patterns) {
      try {
        const listed = await filesOf(pattern);
        this.#listed.set(pattern, listed);
        this.#faults.delete(pattern);
        for (const file of listed) files.add(file);
      } catch (error) {
        this.#blame(pattern, (error as Error).message);
        for (const file of this.#listed.get(pattern) ?? []) files.delete(file);
      }
    }
    const stamps = new Map<string, string>();
    // One after the other: a network folder that hangs must not take all threads of the pool.
    for (const file of files) stamps.set(file, await stampOf(file));
    return stamps;
  }

  async #read(stamps: Iterable<[string, string]>): Promise<boolean> {
    let isRead = false;
    let isRemoved = false;
    for (const [file, stamp] of stamps) {
      if (this.#manifests.get(file)?.stamp === stamp) continue;
      if (stamp !== gone || !this.#isOpen) {
        await this.#readFile(file, stamp);
        isRead = true;
      } else if (this.#remove(file)) isRemoved = true;
      if (this.#closing.signal.aborted) return false;
    }
    const isAdopted = (isRead || isRemoved) && this.#adoptAll();
    return isAdopted || isRemoved;
  }

  async #readFile(file: string, stamp: string): Promise<void> {
    const manifest = this.#manifests.get(file) ?? { stamp: '', documents: new Map(), next: undefined };
    this.#manifests.set(file, manifest);
    try {
      const text = await readText(file);
      // A file that cannot be read is tried again.
      manifest.stamp = stamp;
      manifest.next = undefined;
      manifest.next = await checkManifest(text, { ...this.#check, known: this.#byText, signal: this.#closing.signal });
      // The manifests of several versions of an app share most documents.
      for (const document of manifest.next.values()) this.#byText.set(document.text, document);
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#blame(file, `${file}: ${(error as Error).message}`, stamp);
    }
  }

  #remove(file: string): boolean {
    this.#faults.delete(file);
    const isRemoved = this.#manifests.delete(file);
    if (isRemoved) this.#logger.info({ manifest: file }, 'The documents of a manifest are gone with its file');
    return isRemoved;
  }

  /** Returns whether a new version counts now. An id may be free now, for a version that has waited for it. */
  #adoptAll(): boolean {
    const conflicts = conflictsOf(this.#manifests);
    let isAdopted = false;
    for (const [file, manifest] of this.#manifests) {
      const { next, stamp } = manifest;
      const id = conflicts.get(file);
      if (id !== undefined) this.#blame(file, `${file}: ${id}: ${conflict}`, stamp);
      else if (next) {
        this.#adopt(file, manifest, next);
        isAdopted = true;
      }
    }
    return isAdopted;
  }

  #adopt(file: string, manifest: Manifest, next: DocumentsById): void {
    Object.assign(manifest, { documents: next, next: undefined });
    this.#faults.delete(file);
    this.reads.inc({ result: 'good' });
    if (this.#isOpen) this.#logger.info({ manifest: file, documents: next.size }, 'A manifest has a new version');
  }

  #documents(): DocumentsById {
    const documents = new Map([...this.#manifests.values()].flatMap((manifest) => [...manifest.documents]));
    this.#byText = new Map([...documents.values()].map((document) => [document.text, document]));
    return documents;
  }

  /** Logs and counts once for each version, and once for each reason. */
  #blame(place: string, reason: string, stamp = ''): void {
    if (!this.#isOpen) throw new Error(`TRUSTED_DOCUMENTS: ${reason}`);
    const fault = `${stamp} ${reason}`;
    if (this.#faults.get(place) === fault) return;
    this.#faults.set(place, fault);
    this.reads.inc({ result: 'bad' });
    this.#logger.error({ manifest: place, reason }, 'A manifest is bad: its last good version stays in use');
  }
}

/**
 * The files whose new version must wait, and the id under which another manifest has another text. Versions that change
 * together need to fit each other alone. A version that waits leaves the one before it.
 */
function conflictsOf(manifests: ReadonlyMap<string, Manifest>): Map<string, string> {
  const conflicts = new Map<string, string>();
  let before: number;
  do {
    before = conflicts.size;
    const texts = new Map<string, string>();
    const add = (documents: DocumentsById) => {
      for (const [key, { text }] of documents) texts.set(key, text);
    };
    const isNew = ([file, { next }]: [string, Manifest]) => next !== undefined && !conflicts.has(file);
    for (const each of manifests) if (!isNew(each)) add(each[1].documents);
    for (const [file, { next = new Map() }] of [...manifests].filter(isNew)) {
      const other = [...next].find(([key, { text }]) => (texts.get(key) ?? text) !== text);
      if (other) conflicts.set(file, other[1].id);
      else add(next);
    }
  } while (conflicts.size > before);
  return conflicts;
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

/** Differs between two versions of a file. A link has the stamp of its target. */
async function stampOf(file: string): Promise<string> {
  try {
    const stats = await stat(file, { bigint: true });
    // A folder took the place of the file, or a network showed the folder as a file.
    if (stats.isDirectory()) return gone;
    return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? gone : code;
  }
}
