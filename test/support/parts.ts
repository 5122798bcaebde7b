// biome-ignore lint/suspicious/noExplicitAny: tests read whatever their document asks for
type Json = any;

export type Part = Record<string, Json>;

/** The parts of an answer in multipart/mixed or text/event-stream. */
export function partsOf(text: string): Part[] {
  const texts = text.includes('event: next')
    ? [...text.matchAll(/^data: (.+)$/gm)].map(([, json = '']) => json)
    : [...text.matchAll(/\r\n\r\n(.+)\r\n---/g)].map(([, json = '']) => json);
  return texts.map((json) => JSON.parse(json));
}

/** Reads the parts one by one, as they come. */
export async function* arriving(response: Response): AsyncGenerator<Part> {
  let text = '';
  let shown = 0;
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
    text += piece;
    const parts = partsOf(text);
    yield* parts.slice(shown);
    shown = parts.length;
  }
}

/** The answer that the parts make together, by the draft of the GraphQL specification. */
export function merged([first, ...later]: readonly Part[]): { data: Json; errors: Json[] } {
  const data = structuredClone(first!.data);
  const errors: Json[] = [...(first!.errors ?? [])];
  const paths = new Map<string, (string | number)[]>();
  const announce = ({ pending = [] }: Part) => {
    for (const { id, path } of pending) paths.set(id, path);
  };
  announce(first!);
  for (const part of later) {
    announce(part);
    for (const { id, subPath = [], data: fields, errors: own = [] } of part.incremental ?? []) {
      const at = [...paths.get(id)!, ...subPath].reduce((value, key) => value[key], data);
      for (const [key, value] of Object.entries(fields)) at[key] = deepMerged(at[key], value);
      errors.push(...own);
    }
    for (const { id, errors: own = [] } of part.completed ?? []) {
      if (!paths.delete(id)) throw new Error(`${id} was not pending`);
      errors.push(...own);
    }
  }
  if (paths.size > 0) throw new Error(`${[...paths.keys()]} never came`);
  return { data, errors };
}

function deepMerged(known: Json, value: Json): Json {
  if (known === undefined || known === null || typeof known !== 'object') return value;
  for (const [key, each] of Object.entries(value)) known[key] = deepMerged(known[key], each);
  return known;
}
