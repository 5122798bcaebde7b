type Json = Record<string, unknown>;

/** A part of an answer with `@defer`, by the draft of the GraphQL specification. */
export interface AnswerPart extends Json {
  data?: Json;
  pending?: { id: string; path: (string | number)[] }[];
  incremental?: { id: string; subPath?: (string | number)[]; data: Json; errors?: unknown[] }[];
  completed?: { id: string; errors?: unknown[] }[];
  errors?: unknown[];
  extensions?: Json;
}

/** Asks for the parts of an answer, where there may be some. */
export function acceptParts(headers: Headers, query: string): void {
  if (query.includes('@defer')) headers.set('Accept', 'text/event-stream, application/json;q=0.9');
}

/** Reads the events of an answer in parts, and gives each part to `next`. Resolves with the answer that they make. */
export async function readParts(
  { body }: Response,
  next: (part: AnswerPart) => void,
): Promise<{ answer: Json; text: string }> {
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream()).getReader();
  const parts: AnswerPart[] = [];
  let text = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += read.value;
    const events = text.split('\n\n').slice(0, -1);
    const texts = events.flatMap((event) => /^data: (.+)$/m.exec(event)?.[1] ?? []);
    for (const json of texts.slice(parts.length)) {
      parts.push(JSON.parse(json));
      next(JSON.parse(json));
    }
  }
  return { answer: merged(parts), text };
}

function merged(parts: readonly AnswerPart[]): Json {
  const answer: { data?: Json; errors: unknown[]; extensions?: Json } = { errors: [] };
  const paths = new Map<string, (string | number)[]>();
  for (const { data, pending = [], incremental = [], completed = [], errors = [], extensions } of parts) {
    if (data) answer.data = data;
    if (extensions) answer.extensions = extensions;
    for (const { id, path } of pending) paths.set(id, path);
    for (const { id, subPath = [], data: fields } of incremental) {
      const at = [...(paths.get(id) ?? []), ...subPath].reduce<unknown>(
        (value, key) => (value as Json)[key],
        answer.data,
      );
      Object.assign(at as Json, fields);
    }
    answer.errors.push(...[{ errors }, ...incremental, ...completed].flatMap((each) => each.errors ?? []));
  }
  const { errors, ...others } = answer;
  return errors.length > 0 ? { ...others, errors } : others;
}
