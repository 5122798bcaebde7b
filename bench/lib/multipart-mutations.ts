import { randomNumbers } from '../stub/ids.ts';
import { boundary } from './upload-form.ts';

/** Whole numbers from 0 to below a bound; the same ones for the same seed. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  const next = randomNumbers(seed);
  return (below) => Math.floor(next() * below);
}

/** Texts that have a meaning for a reader of forms. */
const snippets = [
  `\r\n--${boundary}\r\n`,
  `\r\n--${boundary}--`,
  '\r\n\r\n',
  '"',
  '\0',
  ': ',
  "filename*=utf-16''%ff",
  '--',
];

/** A form with one to four edits: a byte changed, something put in, something left out. */
export function mutate(form: Buffer, random: Random): Buffer {
  let body = form;
  for (let edits = 1 + random(4); edits > 0; edits--) {
    const at = random(body.length);
    const snippet = Buffer.from(snippets[random(snippets.length)]!);
    const edit = [
      () => Buffer.concat([body.subarray(0, at), Buffer.from([random(256)]), body.subarray(at + 1)]),
      () => Buffer.concat([body.subarray(0, at), snippet, body.subarray(at)]),
      () => Buffer.concat([body.subarray(0, at), body.subarray(at + random(60))]),
      () => Buffer.concat([body.subarray(0, at), body.subarray(random(at + 1))]),
    ][random(4)]!;
    body = edit();
  }
  return body;
}
