/** The gateway that `test/examples/react-native.test.ts` has started, or one of `npm start`. */
export const url = process.env.EXPO_PUBLIC_GATEWAY_URL ?? 'http://127.0.0.1:4000/graphql';

// biome-ignore lint/suspicious/noExplicitAny: answers of the gateway
export async function ask(query: string): Promise<{ data: any }> {
  const headers = { authorization: 'demo-coop', 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.json();
}
