export interface Gateway {
  url: string;
  key: string;
}

export interface GraphError {
  message: string;
  /** Absent where the whole request is refused. */
  path?: string[];
  extensions: { code: string; retryable: boolean; fields?: { path: string[]; message: string }[] };
}

/** Runs an operation. Throws an error with the message of a refusal. */
export async function ask<T>({ url, key }: Gateway, query: string, variables: object = {}): Promise<T> {
  const { data, errors } = await post<T>(url, key, { query, variables });
  if (!data || errors) throw new Error(errors?.[0]?.message ?? 'The gateway gives no data.');
  return data;
}

/** The errors that a mutation would have before its first call. The gateway makes none for an estimate. */
export async function mistakesOf({ url, key }: Gateway, query: string, variables: object): Promise<GraphError[]> {
  const { errors = [] } = await post(url, key, { query, variables }, { 'x-trace-upstream': 'estimate' });
  return errors;
}

async function post<T>(url: string, authorization: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { data?: T | null; errors?: GraphError[] };
}
