import { Component, type ReactNode } from 'react';
import { IconMoodSad } from '@tabler/icons-react';

import { TEXTS } from '#domain/errors.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { PlainButton } from '#src/ui/plain-button.tsx';

interface Properties {
  readonly children: ReactNode;
}

/** Replaces the whole page after an error instead of leaving it blank, and offers a reload. */
export class ErrorBoundary extends Component<Properties, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <main style={{ display: 'grid', minHeight: '100dvh', placeItems: 'center' }}>
        <div role="alert">
          <EmptyState
            level="h1"
            icon={<IconMoodSad />}
            title={TEXTS.title}
            text="This page stopped working. Your messages are saved and will be sent."
          >
            <PlainButton
              kind="normal"
              text="Reload the page"
              onClick={() => window.location.reload()}
            />
          </EmptyState>
        </div>
      </main>
    );
  }
}
