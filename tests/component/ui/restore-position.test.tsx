import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Link, navigate } from '#src/ui/address.tsx';
import { useRestorePosition } from '#src/ui/restore-position.ts';

afterEach(cleanup);

describe('the position in a page', () => {
  const SCROLLED = 300;

  const Page = ({ uid = 'u_me', isShown = true }) => {
    const root = useRef<HTMLDivElement>(null);
    useRestorePosition(root, uid, { extent: 1, isShown });
    return (
      <main>
        <div ref={root}>
          <Link to="/search?q=foo">Search</Link>
        </div>
      </main>
    );
  };

  const main = () => screen.getByRole('main');
  const leave = (): void => {
    main().scrollTop = SCROLLED;
    cleanup();
  };

  beforeEach(() => window.history.replaceState(null, '', '/search?q=foo'));

  it('is restored for the same user only', () => {
    render(<Page />);
    leave();
    render(<Page uid="u_other" />);
    expect(main().scrollTop).toBe(0);
    cleanup();
    render(<Page />);
    expect(main().scrollTop).toBe(SCROLLED);
  });

  it('is kept by a link to the page itself', () => {
    render(<Page />);
    fireEvent.click(screen.getByRole('link'));
    leave();
    render(<Page />);
    expect(main().scrollTop).toBe(SCROLLED);
  });

  it('is kept for a second search in the open page', () => {
    render(<Page />);
    act(() => navigate('/search?q=bar'));
    leave();
    render(<Page />);
    expect(main().scrollTop).toBe(SCROLLED);
  });

  it('is not restored once the user has scrolled', () => {
    render(<Page />);
    leave();
    const { rerender } = render(<Page isShown={false} />);
    main().scrollTop = 50;
    rerender(<Page />);
    expect(main().scrollTop).toBe(50);
  });
});
