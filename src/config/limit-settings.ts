import type { Bases } from './bases.ts';
import { group, setting } from './setting.ts';
import * as value from './values.ts';

/** Bounds of what one client can ask for. */
export function limitSettings({ memory, capacity, operationMs, running, queued, uploadMs }: Bases) {
  return group('Bounds of what one client can ask for.', {
    operations: group('Operations, at the same time and each by itself.', {
      timeoutMs: setting(value.ms().default(operationMs), {
        about: 'The deadline of an operation; what is missing by then is null, with `UPSTREAM_TIMEOUT`.',
      }),
      running: setting(value.count().default(running), {
        about: 'Operations that run at the same time.',
        derived: '200 for each GiB of memory.',
      }),
      queued: setting(value.countOrNone().default(queued), {
        about: 'Operations that wait for that, each caller in turn; the next is `OVERLOADED`.',
        derived: '400 for each GiB of memory.',
      }),
      perCaller: setting(value.count().default(running + Math.ceil(queued / 2)), {
        about: 'Operations of one caller that run or wait; the next is `RATE_LIMITED`.',
        derived: '`limits.operations.running` and half of `limits.operations.queued`.',
        change:
          'Lower it when one caller takes the places of others. Raise it when all requests come under one API key.',
        variable: 'MAX_OPERATIONS_PER_CALLER',
      }),
      queueTimeoutMs: setting(value.ms().default(Math.min(5_000, operationMs)), {
        about: 'How long an operation may wait.',
        derived: '5 s, or `limits.operations.timeoutMs` where that is less.',
      }),
      files: setting(value.count().default(Math.max(1, capacity(50))), {
        about: 'Lists that are sent as files at once, a quarter for one caller; the next is `OVERLOADED`.',
        derived: '50 for each GiB of memory.',
      }),
      pageSize: setting(value.count().default(1_000), { about: 'Rows of one list at most.' }),
      upstreamCalls: setting(value.count().default(500), {
        about: 'REST calls of one operation at most, retries included.',
      }),
      cost: setting(value.count().default(50_000), {
        about: 'Objects that an operation may ask for, as estimated before it runs.',
      }),
      objects: setting(value.count().default(100_000), {
        about: 'Objects in one answer; what does not fit is null, with one `QUERY_TOO_COMPLEX`.',
      }),
      answerBytes: setting(value.bytes().default(Math.min(32 * value.MiB, memory(1 / 16))), {
        about: 'Bytes of one answer at most; what does not fit is null, with one `QUERY_TOO_COMPLEX`.',
        derived: '32 MiB, or a sixteenth of the memory of a worker where that is less.',
        variable: 'MAX_ANSWER_BYTES',
      }),
      memoryBytes: setting(value.bytes().default(memory(1 / 4)), {
        about:
          'Bytes that running operations hold at most: answers of the service that they have read, and their own answers. The first 512 KiB of each do not count.',
        derived: 'A quarter of the memory of a worker.',
      }),
    }),
    documents: group('Texts of operations. Fragments count wherever they are spread.', {
      tokens: setting(value.count().default(2_000), { about: 'Tokens at most, and lines.' }),
      depth: setting(value.count().default(10), { about: 'Fields below each other at most.' }),
      fields: setting(value.count().default(1_000), { about: 'Fields of an operation at most.' }),
      fieldsPerObject: setting(value.count().default(120), {
        about: 'Fields of one object at most, aliases and repetitions included. No type has a third as many.',
      }),
      rootFields: setting(value.count().default(20), { about: 'Fields of `Query` or `Mutation` at most.' }),
      aliases: setting(value.count().default(30), { about: 'Aliases in an operation at most.' }),
      directives: setting(value.count().default(20), { about: 'Directives in an operation at most.' }),
      directivesPerNode: setting(value.count().default(4), {
        about: 'Directives at one field, fragment, variable or operation at most.',
      }),
    }),
    uploads: group('Files of mutations. They do not count as running operations.', {
      timeoutMs: setting(value.ms(value.dayMs).default(uploadMs), {
        about: 'The deadline of an upload: for a client to send a request with its file.',
        change: 'Raise it with `limits.uploads.fileBytes`.',
      }),
      idleTimeoutMs: setting(value.ms().default(Math.min(15_000, uploadMs)), {
        about: 'Longest silence of a client that is uploading.',
        derived: '15 s, or `limits.uploads.timeoutMs` where that is less.',
      }),
      minBytesPerSecond: setting(value.countOrNone().default(1_000), {
        about: 'Bytes that a client must send each second, averaged over 15 s; 0: any.',
        change: 'Raise it when slow clients take the places of others. A phone on 2G sends about 2,000.',
        variable: 'MIN_UPLOAD_RATE',
      }),
      running: setting(value.count().default(Math.max(1, capacity(100))), {
        about: 'Uploads at the same time, a quarter for one API key while others want to upload.',
        derived: '100 for each GiB of memory.',
      }),
      fileBytes: setting(value.bytes().default(20 * value.MiB), { about: 'Bytes of a file at most.' }),
      spooledBytes: setting(value.bytes().default(memory(1 / 2)), {
        about:
          'Bytes of all files together whose clients declare no length. They wait in the temporary folder, or else in memory.',
        derived: 'Half of the memory of a worker, because the temporary folder may lie in memory.',
      }),
    }),
    clients: group('Connections of clients, and how slow they may be.', {
      connections: setting(value.count().default(Math.max(100, capacity(5_000))), {
        about: 'Connections at most; those beyond are for health checks and metrics alone.',
        derived: '5,000 for each GiB of memory.',
      }),
      bodyBytes: setting(value.bytes().default(value.MiB / 4), {
        about: 'Bytes of a JSON body, or of a text field of a form, at most.',
      }),
      bodiesBytes: setting(value.bytes().default(memory(1 / 16)), {
        about: 'Bytes at most of all bodies that clients are sending, files excepted.',
        derived: 'A sixteenth of the memory of a worker.',
      }),
      answersBytes: setting(value.bytes().default(memory(1 / 8)), {
        about: 'Bytes at most of all answers that clients have not taken yet.',
        derived: 'An eighth of the memory of a worker.',
      }),
      headersTimeoutMs: setting(value.ms().default(Math.min(10_000, Math.ceil(uploadMs / 2))), {
        about: 'For a client to send the headers of a request.',
        derived: '10 s, or half of `limits.uploads.timeoutMs` where that is less.',
      }),
      bodyTimeoutMs: setting(value.ms().default(Math.min(15_000, uploadMs)), {
        about: 'For a client to send a JSON body.',
        derived: '15 s, or `limits.uploads.timeoutMs` where that is less.',
      }),
      responseTimeoutMs: setting(value.ms().default(Math.min(60_000, uploadMs)), {
        about: 'How long a client may take nothing of its answer.',
        derived: 'A minute, or `limits.uploads.timeoutMs` where that is less.',
      }),
      minBytesPerSecond: setting(value.countOrNone().default(1_000), {
        about: 'Bytes of a file that a client must take each second, averaged over 15 s; 0: any.',
        change: 'Raise it when slow clients take the places of others. A phone on 2G takes about 2,000.',
      }),
    }),
  });
}
