import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { examplesPlugin } from './examples-plugin.tsx';
import './narrow-view.css';
import { useActiveTab } from './operation-runs.ts';

const views = ['Query', 'Answer', 'Panel'] as const;
type View = (typeof views)[number];

/** The parts of the page that the views show, for screen readers. */
const parts: Record<View, string> = {
  Query: '.graphiql-editors',
  Answer: '.graphiql-response',
  Panel: '.graphiql-plugin',
};

/**
 * Shows the editor, the answer and the panels one at a time, where a window has room for one. A run turns to the answer. An
 * icon of the side bar turns to its panel, and an example to the editor.
 */
export function NarrowView() {
  const { setVisiblePlugin } = useGraphiQLActions();
  const isFetching = useGraphiQL((state) => state.isFetching);
  const panel = useGraphiQL((state) => state.visiblePlugin);
  const tab = useActiveTab();
  const [view, setView] = useState<View>('Query');

  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab becomes the active one
  useEffect(() => setView('Query'), [tab]);
  useEffect(() => {
    if (isFetching) setView('Answer');
  }, [isFetching]);
  useEffect(() => setView((before) => (panel ? 'Panel' : before === 'Panel' ? 'Query' : before)), [panel]);
  useEffect(() => {
    document.documentElement.dataset.view = view;
    for (const name of views) document.querySelector(parts[name])?.setAttribute('id', idOf(name));
  }, [view]);

  function choose(next: View): void {
    if (next === 'Panel' && !panel) setVisiblePlugin(examplesPlugin);
    setView(next);
  }

  /** The keys of tabs, by the pattern of the ARIA guide. */
  function move({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = views[(views.indexOf(view) + step + views.length) % views.length] as View;
    choose(next);
    currentTarget.querySelector<HTMLElement>(`[aria-controls="${idOf(next)}"]`)?.focus();
  }

  return (
    <div className="gateway-views" role="tablist" aria-label="Parts of the page" onKeyDown={move}>
      {views.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={view === name}
          aria-controls={idOf(name)}
          tabIndex={view === name ? 0 : -1}
          onClick={() => choose(name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function idOf(view: View): string {
  return `gateway-view-${view.toLowerCase()}`;
}
