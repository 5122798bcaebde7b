import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';

/** Goes to the tab that holds the operation, or opens one. Nothing runs. `isExact`: the tab has the same variables. */
export function useOpenOperation(): (
  operation: { query: string; variables?: string },
  options?: { isExact?: boolean },
) => void {
  const { tabs, queryEditor, variableEditor } = useGraphiQL(({ tabs, queryEditor, variableEditor }) => ({
    tabs,
    queryEditor,
    variableEditor,
  }));
  const { addTab, changeTab, updateActiveTabValues } = useGraphiQLActions();
  return ({ query, variables = '' }, { isExact = false } = {}) => {
    const place = tabs.findIndex((tab) => tab.query === query && (!isExact || (tab.variables ?? '') === variables));
    if (place >= 0) changeTab(place);
    else {
      addTab();
      queryEditor?.setValue(query);
      variableEditor?.setValue(variables);
      // The editors report an edit a moment later; until then the tab would have no name.
      updateActiveTabValues({ query, variables });
    }
    // From here Ctrl-Enter runs it.
    queryEditor?.focus();
  };
}
