import { readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { counter } from '../../lib/metrics.ts';
import type { DocumentCheck } from '../limits/document-check.ts';
import { filesOf } from './manifests.ts';
import { checkManifest, conflict, type DocumentsById, type TrustedDocument } from './trusted-document.ts';

/** Polls, because folders of networks send no events, and because events name links instead of their targets. */
const pollMs = 200;
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
  #byText: ReadonlyMap<string, TrustedDocument> = new Map();
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
      await pause(pollMs, undefined, { ref: false, signal }).catch(() => {});
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
    let isRemoved = false;
    for (const [file, stamp] of stamps) {
      if (this.#manifests.get(file)?.stamp === stamp) continue;
      if (stamp !== gone || !this.#isOpen) await this.#readFile(file, stamp);
      else if (this.#remove(file)) isRemoved = true;
      if (this.#closing.signal.aborted) return false;
    }
    return this.#adoptAll() || isRemoved;
  }

  async #readFile(file: string, stamp: string): Promise<void> {
    const manifest = this.#manifests.get(file) ?? { stamp: '', documents: new Map(), next: undefined };
    this.#manifests.set(file, manifest);
    try {
      const text = await readFile(file, 'utf8');
      // A file that cannot be read is tried again.
      manifest.stamp = stamp;
      manifest.next = undefined;
      manifest.next = await checkManifest(text, { ...this.#check, known: this.#byText, signal: this.#closing.signal });
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

  /** Returns whether a new version counts now. */
  #adoptAll(): boolean {
    const waiting = [...this.#manifests].filter(([, { next }]) => next);
    const adopted = waiting.filter(([file, manifest]) => this.#adopt(file, manifest));
    if (adopted.length > 0) {
      // An id may be free now, for the version that waits for it.
      this.#adoptAll();
      return true;
    }
    for (const [file, { stamp, next }] of waiting) {
      this.#blame(file, `${file}: ${this.#conflict(file, next as DocumentsById)}: ${conflict}`, stamp);
    }
    return false;
  }

  #adopt(file: string, manifest: Manifest): boolean {
    const { next } = manifest;
    if (!next || this.#conflict(file, next) !== undefined) return false;
    Object.assign(manifest, { documents: next, next: undefined });
    this.#faults.delete(file);
    this.reads.inc({ result: 'good' });
    if (this.#isOpen) this.#logger.info({ manifest: file, documents: next.size }, 'A manifest has a new version');
    return true;
  }

  /** The first id under which another manifest has another text. */
  #conflict(file: string, documents: DocumentsById): string | undefined {
    const others = [...this.#manifests].flatMap(([other, manifest]) => (other === file ? [] : [manifest.documents]));
    for (const [key, { id, text }] of documents) {
      if (others.some((other) => (other.get(key)?.text ?? text) !== text)) return id;
    }
    return undefined;
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

/** Differs between two versions of a file. A link has the stamp of its target. */
async function stampOf(file: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? gone : code;
  }
}
