import './zod-jitless.ts';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { App } from './app.tsx';
import { createPageRuntime } from './page-runtime.ts';
import { RuntimeContext } from './runtime-context.ts';

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root');

createRoot(root).render(
  <StrictMode>
    <RuntimeContext value={createPageRuntime()}>
      <App />
    </RuntimeContext>
  </StrictMode>,
);
