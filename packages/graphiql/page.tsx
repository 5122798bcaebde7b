import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { createRoot } from 'react-dom/client';
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import { ActiveTabInSight } from './active-tab.ts';
import { CopyMenu } from './copy-menu.tsx';
import './drawings.css';
import { EditorBar } from './editor-bar.ts';
import { EditorWidth } from './editor-width.ts';
import { EstimateSource } from './estimate.ts';
import { openingExamples } from './examples.ts';
import { examplesPlugin } from './examples-plugin.tsx';
import { fetcher } from './fetcher.ts';
import { filesPlugin } from './files-plugin.tsx';
import { graphPlugin } from './graph-plugin.tsx';
import { keysPlugin } from './keys-plugin.tsx';
import { LinkOpener } from './link-opener.ts';
import { mapPlugin } from './map-plugin.tsx';
import { NarrowView } from './narrow-view.tsx';
import { Notices } from './notices.tsx';
import { PaceSwitch } from './pace-switch.tsx';
import './page.css';
import './plugins.css';
import { RunFigures } from './run-figures.tsx';
import { storageWithoutHeaders } from './storage.ts';
import { upstreamPlugin } from './upstream-plugin.tsx';
import './waterfall.css';

const isFirstVisit = localStorage.getItem('graphiql:visiblePlugin') === null;
/** Narrower windows have no room for a panel beside the editor and the answer. */
const hasRoomForPanel = window.matchMedia('(width >= 1000px)').matches;
const plugins = [
  examplesPlugin,
  keysPlugin,
  filesPlugin,
  upstreamPlugin,
  mapPlugin,
  graphPlugin,
  explorerPlugin(),
  HISTORY_PLUGIN,
];

createRoot(document.getElementById('graphiql')!).render(
  <GraphiQL
    fetcher={fetcher}
    storage={storageWithoutHeaders}
    defaultTabs={openingExamples.map(({ query, variables }) => ({ query, variables: variables ?? null }))}
    plugins={plugins}
    {...(isFirstVisit && hasRoomForPanel && { visiblePlugin: examplesPlugin })}
    defaultEditorToolsVisibility="variables"
    shouldPersistHeaders={false}
    inputValueDeprecation
    schemaDescription
  >
    <ActiveTabInSight />
    <EditorBar />
    <EditorWidth />
    <EstimateSource />
    <LinkOpener />
    <NarrowView />
    <Notices />
    <GraphiQL.Logo>
      <PaceSwitch />
      <span>Traceability gateway</span>
    </GraphiQL.Logo>
    <GraphiQL.Toolbar>
      {({ prettify, merge }) => (
        <>
          <RunFigures />
          {prettify}
          {merge}
          <CopyMenu />
        </>
      )}
    </GraphiQL.Toolbar>
  </GraphiQL>,
);
