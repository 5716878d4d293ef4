import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Activity } from 'react';
import { afterEach, describe, expect, it } from 'vitest';

import { ErrorBoundary } from '#src/app/app.tsx';
import { navigate } from '#src/ui/address.tsx';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';
import { MantineProvider } from '@mantine/core';

afterEach(cleanup);

const Greeting = ({ name }: { readonly name: string }) => <p>Hello {name}</p>;

describe('a lazy component', () => {
  it('appears once loaded, and immediately the next time', async () => {
    let loads = 0;
    const Part = lazyComponent(async () => {
      loads += 1;
      return { default: Greeting };
    });
    render(<Part name="Maya" />);
    await screen.findByText('Hello Maya');
    cleanup();
    render(<Part name="Leila" />);
    expect(document.body.textContent).toBe('Hello Leila');
    expect(loads).toBe(1);
  });

  it('appears if another one loaded it between its rendering and its effects', async () => {
    const Part = lazyComponent(
      async () => ({ default: Greeting }),
      () => <p>Not yet</p>,
    );
    const both = (mode: 'hidden' | 'visible') => (
      <>
        <Part name="Maya" />
        <Activity mode={mode}>
          <Part name="Leila" />
        </Activity>
      </>
    );
    // The effects of a hidden part run once it is visible.
    const { rerender } = render(both('hidden'));
    await screen.findByText('Hello Maya');
    expect(screen.getByText('Not yet')).toBeDefined();
    rerender(both('visible'));
    await screen.findByText('Hello Leila');
    expect(screen.queryByText('Not yet')).toBeNull();
  });

  it('appears if another one loaded it after it failed', async () => {
    let isAway = true;
    const Part = lazyComponent(
      async () => {
        if (isAway) throw new TypeError('Failed to fetch');
        return { default: Greeting };
      },
      () => <p>Not yet</p>,
    );
    const { rerender } = render(<Part key="first" name="Maya" />);
    await screen.findByText('Not yet');
    isAway = false;
    rerender(
      <>
        <Part key="first" name="Maya" />
        <Part key="second" name="Leila" />
      </>,
    );
    await screen.findByText('Hello Leila');
    fireEvent(window, new Event('online'));
    await screen.findByText('Hello Maya');
    expect(screen.queryByText('Not yet')).toBeNull();
  });

  it('is loaded once the network returns if loading failed', async () => {
    let isAway = true;
    const Part = lazyComponent<{ readonly name: string }>(
      async () => {
        if (isAway) throw new TypeError('Failed to fetch');
        return { default: Greeting };
      },
      () => <p>Not yet</p>,
    );
    render(<Part name="Maya" />);
    await screen.findByText('Not yet');
    isAway = false;
    fireEvent(window, new Event('online'));
    await screen.findByText('Hello Maya');
    expect(screen.queryByText('Not yet')).toBeNull();
  });

  describe('that cannot be loaded', () => {
    /** Resolves as soon as an alert is on the page, before its later effects. */
    const untilAlert = () =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (screen.queryByRole('alert') === null) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(document.body, { childList: true, subtree: true });
      });

    /** A page with a part that loads once `arrive` was called. */
    const showFailed = async () => {
      let isAway = true;
      const Part = lazyComponent(async () => {
        if (isAway) throw new TypeError('Failed to fetch');
        return { default: Greeting };
      });
      render(
        <MantineProvider>
          <ErrorBoundary>
            <Part name="Maya" />
          </ErrorBoundary>
        </MantineProvider>,
      );
      await untilAlert();
      expect(screen.getByRole('alert').textContent).toContain('Error occurred!');
      return { arrive: () => void (isAway = false) };
    };

    it.each([
      ['the network returns', () => fireEvent(window, new Event('online'))],
      ['another page is opened', () => navigate('/another')],
    ])('reaches the error boundary, which tries again when %s', async (_, act) => {
      const { arrive } = await showFailed();
      arrive();
      act();
      await screen.findByText('Hello Maya');
      expect(screen.queryByRole('alert')).toBeNull();
    });
  });
});
