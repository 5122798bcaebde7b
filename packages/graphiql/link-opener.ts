import { useGraphiQL } from '@graphiql/react';
import { useEffect, useRef } from 'react';
import { notify } from './notices.tsx';
import { useOpenOperation } from './open-operation.ts';
import { linkedOperation } from './operation-link.ts';

/**
 * Opens the operation of the page's fragment, and takes the fragment out of the address at once. The history of the
 * browser then leads to the page alone.
 */
export function LinkOpener() {
  const isReady = useGraphiQL((state) => state.queryEditor !== undefined && state.variableEditor !== undefined);
  const openOperation = useOpenOperation();
  const open = useRef(openOperation);
  open.current = openOperation;
  useEffect(() => {
    if (!isReady) return;
    const follow = async () => {
      const { hash, pathname, search } = window.location;
      if (!hash) return;
      try {
        const operation = linkedOperation(hash);
        history.replaceState(history.state, '', pathname + search);
        const linked = await operation;
        if (!linked) return;
        open.current(linked, { isExact: true });
        notify('The operation of the link is open. Nothing has run yet.');
      } catch (error) {
        notify((error as Error).message, { isProblem: true });
      }
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [isReady]);
  return null;
}
