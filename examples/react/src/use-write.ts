import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { type Failure, failuresOf } from './failure.ts';

/**
 * - `done`: the write happened. Failures, if any, concern references that the gateway read after it, or fields of the input
 *   that the service changed.
 * - `refused`: the write did not happen. After a change the user begins another action.
 * - `unanswered`: the write may have happened. `sendAgain` finds out, and never writes twice.
 * - `unknown`: only a look at the list finds out. Writing again is another action.
 */
export type Outcome = 'done' | 'refused' | 'unanswered' | 'unknown';

interface Action<Variables> {
  idempotencyKey: string;
  variables: Variables;
}

/** A mutation of one field, sent with an Idempotency-Key: one for each thing that the user does. */
export function useWrite<Data, Variables extends OperationVariables>(document: TypedDocumentNode<Data, Variables>) {
  const [mutate, { data, error, loading, called, reset }] = useMutation(document);
  const [action, setAction] = useState<Action<Variables>>();
  const failures = failuresOf(error);

  function send({ idempotencyKey, variables }: Action<Variables>) {
    return mutate({ variables, context: { headers: { 'idempotency-key': idempotencyKey } } });
  }

  return {
    data,
    failures,
    loading,
    outcome: called && !loading ? outcomeOf(failures) : undefined,
    /** Begins a new action. */
    start(variables: Variables) {
      const begun = { idempotencyKey: crypto.randomUUID(), variables };
      setAction(begun);
      return send(begun);
    },
    /** Sends the begun action again, with the same key and the same variables. */
    sendAgain: () => action && send(action),
    reset,
  };
}

function outcomeOf(failures: Failure[]): Outcome {
  const ofTheWrite = failures.filter(({ code, path }) => path.length <= 1 && code !== 'INPUT_NOT_STORED');
  if (ofTheWrite.length === 0) return 'done';
  if (ofTheWrite.some(({ code }) => code === 'OUTCOME_UNKNOWN')) return 'unknown';
  return ofTheWrite.some(({ retryable }) => retryable) ? 'unanswered' : 'refused';
}
