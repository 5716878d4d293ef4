import './zod-jitless.ts';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { App } from './app.tsx';
import { createPageRuntime } from '#src/boot/page-runtime.ts';
import { RuntimeContext } from '#src/actors/runtime-context.ts';

const root = document.querySelector('#root');
if (root === null) throw new Error('No #root');

const runtime = createPageRuntime();
createRoot(root).render(
  <StrictMode>
    <RuntimeContext value={runtime}>
      <App />
    </RuntimeContext>
  </StrictMode>,
);
