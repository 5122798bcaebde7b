import Negotiator from 'negotiator';

/** How the parts of an answer follow each other in one HTTP response. */
export interface Framing {
  contentType: string;
  /** The texts before and after the JSON of a part. */
  around(isFirst: boolean, isLast: boolean): [before: string, after: string];
}

const partHead = '\r\ncontent-type: application/json; charset=utf-8\r\n\r\n';

/** The form of Apollo Server. Each part ends with the boundary of the next one, so that a client shows it at once. */
const multipart = (parameter: string): Framing => ({
  contentType: `multipart/mixed; boundary="-"${parameter}`,
  around: (isFirst, isLast) => [`${isFirst ? '\r\n---' : ''}${partHead}`, `\r\n---${isLast ? '--\r\n' : ''}`],
});

/** The mode of distinct connections of GraphQL over Server-Sent Events. */
const serverSentEvents: Framing = {
  contentType: 'text/event-stream; charset=utf-8',
  around: (_isFirst, isLast) => ['event: next\ndata: ', `\n\n${isLast ? 'event: complete\ndata:\n\n' : ''}`],
};

/** The media types of answers in parts. The format of 2022, `deferSpec=20220824`, is none of them. */
const framings: Readonly<Record<string, Framing>> = {
  'multipart/mixed': multipart(''),
  'multipart/mixed;incrementalSpec=v0.2': multipart('; incrementalSpec=v0.2'),
  'text/event-stream': serverSentEvents,
};

const named = /^\s*(multipart\/mixed|text\/event-stream)\s*(;|$)/i;

/** The media type for parts that the client names in `Accept`, and likes best among them. A range such as *\/* is no name. */
export function typeForParts(accept = ''): string | undefined {
  const ranges = accept.split(',').filter((range) => named.test(range));
  if (ranges.length === 0) return undefined;
  return new Negotiator({ headers: { accept: ranges.join(',') } }).mediaTypes(Object.keys(framings))[0];
}

export function framingOf(mediaType: string): Framing {
  return framings[mediaType] as Framing;
}
