import type { GraphiQLProps } from 'graphiql';

/**
 * Posts one operation to the address the page itself came from.
 * Plain request and answer: the schema has no subscriptions and the gateway sends no incremental results.
 * Throws when the answer is not JSON, so that a proxy's error page is named instead of shown as a parse error.
 */
export const fetcher: GraphiQLProps['fetcher'] = async (operation, options) => {
  const response = await fetch(window.location.pathname, {
    method: 'POST',
    headers: { ...options?.headers, Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(operation),
  });
  if (!response.headers.get('Content-Type')?.includes('json')) {
    throw new Error(`The gateway answered ${response.status} ${response.statusText} without JSON`);
  }
  return response.json();
};
