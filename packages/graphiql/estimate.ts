import {
  tryParseJSONC,
  useGraphiQL,
  useHeadersEditorState,
  useOperationsEditorState,
  useVariablesEditorState,
} from '@graphiql/react';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { getVariableValues, parse, validate } from 'graphql';
import { useEffect } from 'react';
import { acceptParts } from './answer-parts.ts';
import { Observable, useObservable } from './observable.ts';
import { operationOf, uploadVariables } from './operation.ts';
import { useLastRun } from './operation-runs.ts';
import { headersFor, traceHeader } from './request-headers.ts';
import { apiKey, pace } from './session.ts';
import { sendSignedIn, signedIn } from './signed-in.ts';
import type { Estimate, UpstreamReport } from './upstream-report.ts';

/** The estimate of the open operation, or the reason why the gateway would refuse it. */
export type Estimation = { estimate: Estimate } | { refusal: string };

/** Typing pauses for so long before the page asks again. */
const pauseMs = 400;

const current = new Observable<Estimation | undefined>(undefined);

/** Undefined while the operation is not valid, or the gateway says nothing. */
export function useEstimate(): Estimation | undefined {
  return useObservable(current);
}

/** Asks the gateway what the open operation would take, after each edit and after each run. Nothing runs. */
export function EstimateSource() {
  const [query] = useOperationsEditorState();
  const [variables] = useVariablesEditorState();
  const [headers] = useHeadersEditorState();
  const { schema, operationName, isFetching } = useGraphiQL(({ schema, operationName, isFetching }) => ({
    schema,
    operationName,
    isFetching,
  }));
  const key = useObservable(apiKey);
  const user = useObservable(signedIn);
  const lastRun = useLastRun();
  const currentPace = useObservable(pace);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key, run or pace changes the answer
  useEffect(() => {
    if (isFetching) return;
    const leave = new AbortController();
    const timer = setTimeout(async () => {
      const request = requestFor({ query, variables, headers, operationName, schema });
      const estimation = request && (await ask(request, leave.signal).catch(() => undefined));
      if (!leave.signal.aborted) current.set(estimation);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  }, [query, variables, headers, operationName, schema, isFetching, key, user, lastRun?.state, currentPace]);
  return null;
}

interface Editors {
  query: string;
  variables: string;
  headers: string;
  operationName: string | undefined;
  schema: GraphQLSchema | null | undefined;
}

/** Undefined for an operation that the gateway would find invalid, and for an upload. */
function requestFor({ query, variables, headers, operationName, schema }: Editors): RequestInit | undefined {
  const definition = operationOf(query, operationName);
  if (!schema || !definition || uploadVariables(definition).length > 0) return undefined;
  try {
    if (validate(schema, parse(query)).length > 0) return undefined;
    const values = tryParseJSONC(variables) ?? {};
    if (getVariableValues(schema, definition.variableDefinitions ?? [], values).errors) return undefined;
    const body = JSON.stringify({ query, variables: values, operationName: definition.name?.value ?? null });
    const isMutation = definition.operation === 'mutation';
    return { method: 'POST', body, ...(isMutation ? withoutKey() : withKey(headers, query)) };
  } catch {
    return undefined;
  }
}

function withKey(headers: string, query: string): RequestInit {
  const sent = headersFor(new Headers((tryParseJSONC(headers) ?? {}) as Record<string, string>));
  sent.set(traceHeader, 'estimate');
  sent.set('Content-Type', 'application/json');
  acceptParts(sent, query);
  return { headers: sent };
}

/** Nobody writes without a key, also where a proxy drops the header or an older gateway does not know it. */
function withoutKey(): RequestInit {
  const headers = { [traceHeader]: 'estimate', 'Content-Type': 'application/json', Accept: 'application/json' };
  return { headers, credentials: 'omit' };
}

async function ask(request: RequestInit, signal: AbortSignal): Promise<Estimation | undefined> {
  const send = request.credentials === 'omit' ? fetch : sendSignedIn;
  const response = await send(window.location.pathname, { ...request, signal });
  const { errors, extensions }: ExecutionResult<unknown, { upstream?: UpstreamReport }> = await response.json();
  if (errors?.[0]) return { refusal: errors[0].message };
  const estimate = extensions?.upstream?.estimate;
  return estimate && { estimate };
}
