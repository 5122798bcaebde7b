import type { Bases } from './bases.ts';
import { derivedFrom } from './derived.ts';
import { group, setting } from './setting.ts';
import * as value from './values.ts';

/** Bounds of what one client can ask for. */
export function limitSettings(bases: Bases) {
  const { memory, operationMs, running, queued, uploadMs } = bases;
  const { ofMemory, perGiB, withinUpload } = derivedFrom(bases);
  return group('Bounds of what one client can ask for.', {
    operations: group('', {
      timeoutMs: setting(value.ms().default(operationMs), {
        about: 'Deadline of an operation; what is missing is null, with `UPSTREAM_TIMEOUT`.',
      }),
      running: setting(value.count().default(running), {
        about: 'Operations that run at the same time.',
        derived: 'for each GiB',
      }),
      queued: setting(value.countOrNone().default(queued), {
        about: 'Operations that wait for that; the next is `OVERLOADED`.',
        derived: 'for each GiB',
      }),
      perCaller: setting(value.count().default(running + Math.ceil(queued / 2)), {
        about: 'Operations of one caller that run or wait; the next is `RATE_LIMITED`.',
        derived: 'those that run and half of those that wait',
        change: 'Raise it when all requests come under one API key.',
        variable: 'MAX_OPERATIONS_PER_CALLER',
      }),
      queueTimeoutMs: setting(value.ms().default(Math.min(5_000, operationMs)), {
        about: 'How long an operation may wait.',
        derived: 'at most that of an operation',
      }),
      files: perGiB(50, 1, { about: 'Lists that are sent as files at once, a quarter for one caller.' }),
      pageSize: setting(value.count().default(1_000), { about: 'Rows of one list at most.' }),
      upstreamCalls: setting(value.count().default(500), {
        about: 'REST calls of one operation at most, retries included.',
      }),
      cost: setting(value.count().default(50_000), {
        about: 'Objects that an operation may ask for, as estimated.',
      }),
      objects: setting(value.count().default(100_000), {
        about: 'Objects in one answer; what does not fit is null, with one `QUERY_TOO_COMPLEX`.',
      }),
      answerBytes: setting(value.bytes().default(Math.min(32 * value.MiB, memory(1 / 16))), {
        about: 'Bytes of one answer; what does not fit is null, with one `QUERY_TOO_COMPLEX`.',
        derived: 'at most 1/16 of the memory',
        variable: 'MAX_ANSWER_BYTES',
      }),
      memoryBytes: ofMemory(4, {
        about: 'Bytes that running operations hold. The first 512 KiB of each do not count.',
      }),
    }),
    documents: group('Texts of operations. Fragments count wherever they are spread.', {
      tokens: setting(value.count().default(2_000), { about: 'Tokens, and lines.' }),
      depth: setting(value.count().default(10), { about: 'Fields below each other.' }),
      fields: setting(value.count().default(1_000), { about: 'Fields of an operation.' }),
      fieldsPerObject: setting(value.count().default(120), {
        about: 'Fields of one object, aliases and repetitions included.',
      }),
      rootFields: setting(value.count().default(20), { about: 'Fields of `Query` or `Mutation`.' }),
      aliases: setting(value.count().default(30), { about: 'Aliases in an operation.' }),
      directives: setting(value.count().default(20), { about: 'Directives in an operation.' }),
      directivesPerNode: setting(value.count().default(4), {
        about: 'Directives at one field, fragment, variable or operation.',
      }),
    }),
    uploads: group('Files of mutations.', {
      timeoutMs: setting(value.ms(value.dayMs).default(uploadMs), {
        about: 'For a client to send a request with its file.',
        change: 'Raise it with `limits.uploads.fileBytes`.',
      }),
      idleTimeoutMs: withinUpload(15_000, { about: 'Longest silence of a client that is uploading.' }),
      minBytesPerSecond: setting(value.countOrNone().default(1_000), {
        about: 'Bytes of an upload that a client must send each second; 0: any.',
        change: 'A phone on 2G sends about 2,000.',
        variable: 'MIN_UPLOAD_RATE',
      }),
      running: perGiB(100, 1, { about: 'Uploads at the same time, a quarter for one API key.' }),
      fileBytes: setting(value.bytes().default(20 * value.MiB), { about: 'Bytes of a file.' }),
      types: setting(value.fileTypes().optional(), {
        about: 'Media types that a file may have by its first bytes, in place of those of the contract.',
        variable: 'UPLOAD_TYPES',
      }),
      // Files are on a disk, which may have more room.
      spooledBytes: setting(value.bytes().default(memory(1 / 2)), {
        about: 'Bytes of all files whose clients declare no length, in the temporary folder.',
        derived: '1/2 of the memory',
      }),
    }),
    clients: group('', {
      connections: perGiB(5_000, 100, { about: 'Connections, without those for health checks and metrics.' }),
      bodyBytes: setting(value.bytes().default(value.MiB / 4), {
        about: 'Bytes of a JSON body, or of a text field of a form.',
      }),
      bodiesBytes: ofMemory(16, { about: 'Bytes of all bodies that clients are sending, files excepted.' }),
      answersBytes: ofMemory(8, { about: 'Bytes of all answers that clients have not taken yet.' }),
      headersTimeoutMs: setting(value.ms().default(Math.min(10_000, Math.ceil(uploadMs / 2))), {
        about: 'For a client to send the headers of a request.',
        derived: 'at most half of an upload',
      }),
      bodyTimeoutMs: withinUpload(15_000, { about: 'For a client to send a JSON body.' }),
      responseTimeoutMs: withinUpload(60_000, { about: 'How long a client may take nothing of its answer.' }),
      minBytesPerSecond: setting(value.countOrNone().default(1_000), {
        about: 'Bytes of a file that a client must take each second; 0: any.',
      }),
    }),
  });
}
