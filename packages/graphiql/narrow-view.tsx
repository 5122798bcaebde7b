import { useGraphiQL } from '@graphiql/react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { examplesPlugin } from './examples-plugin.tsx';
import './narrow-view.css';
import { useActiveTab } from './operation-runs.ts';
import { closePanel, openPanel } from './panel.tsx';

const views = ['Query', 'Answer', 'Panel'] as const;
type View = (typeof views)[number];

/** A phone, or a page at 400 %. */
const narrow = window.matchMedia('(width < 600px)');

/** The parts of the page that the views show. */
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
  const isFetching = useGraphiQL((state) => state.isFetching);
  const panel = useGraphiQL((state) => state.visiblePlugin);
  const tab = useActiveTab();
  const isNarrow = useSyncExternalStore(onNarrow, () => narrow.matches);
  const [part, setPart] = useState<Exclude<View, 'Panel'>>('Query');
  const lastPanel = useRef(examplesPlugin.title);
  const view: View = panel ? 'Panel' : part;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab becomes the active one
  useEffect(() => choose('Query'), [tab]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run begins
  useEffect(() => {
    if (isFetching) choose('Answer');
  }, [isFetching]);
  useEffect(() => {
    if (panel) lastPanel.current = panel.title;
  }, [panel]);
  useLayoutEffect(() => {
    if (!isNarrow) return;
    for (const name of views) {
      const part = document.querySelector(parts[name]);
      part?.setAttribute('id', idOf(name));
      part?.setAttribute('role', 'tabpanel');
      part?.setAttribute('aria-labelledby', tabIdOf(name));
    }
    return () => {
      for (const name of views) {
        const part = document.querySelector(parts[name]);
        for (const attribute of ['id', 'role', 'aria-labelledby']) part?.removeAttribute(attribute);
      }
      delete document.documentElement.dataset.view;
    };
  }, [isNarrow]);
  useLayoutEffect(() => {
    if (!isNarrow) return;
    document.documentElement.dataset.view = view;
    // The focus would fall to the top of the page with the part that had it.
    if (!document.activeElement?.checkVisibility()) document.getElementById(tabIdOf(view))?.focus();
  }, [isNarrow, view]);

  /** A panel out of sight is closed, so that the next tap on its icon shows it. */
  function choose(next: View): void {
    if (next === 'Panel') {
      openPanel(lastPanel.current);
    } else {
      setPart(next);
      if (isNarrow && panel) closePanel(panel.title);
    }
  }

  /** The keys of tabs, by the pattern of the ARIA guide. */
  function move(event: KeyboardEvent): void {
    const at = views.indexOf(view);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = views.at(to % views.length) as View;
    choose(next);
    document.getElementById(tabIdOf(next))?.focus();
  }

  if (!isNarrow) return null;
  return (
    // GraphiQL gives its tooltips the colours of the theme.
    <div className="graphiql-tooltip gateway-views" role="tablist" aria-label="Parts of the page" onKeyDown={move}>
      {views.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={tabIdOf(name)}
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

function tabIdOf(view: View): string {
  return `${idOf(view)}-tab`;
}

function onNarrow(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}
