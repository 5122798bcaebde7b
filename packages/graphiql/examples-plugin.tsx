import type { GraphiQLPlugin } from '@graphiql/react';
import { exampleScreens } from './examples.ts';
import { useOpenOperation } from './open-operation.ts';
import { Panel } from './panel.tsx';

/** Operations to begin with, by the screen that they are for. */
export const examplesPlugin: GraphiQLPlugin = {
  title: 'Examples',
  icon: () => (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M4 5h6v6H4zM14 5h6v6h-6zM4 15h6v4H4zM14 15h6v4h-6z" />
    </svg>
  ),
  content: () => (
    <Panel title="Examples">
      <Examples />
    </Panel>
  ),
};

function Examples() {
  const open = useOpenOperation();
  return (
    <>
      <p className="gateway-hint">Each opens in a tab. Over the sandbox they run as they are.</p>
      {exampleScreens.map(({ screen, examples }) => (
        <section key={screen} aria-label={screen}>
          <h3>{screen}</h3>
          <ul className="gateway-examples">
            {examples.map((example) => (
              <li key={example.title}>
                <button type="button" className="graphiql-un-styled" onClick={() => open(example)}>
                  {example.title}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
