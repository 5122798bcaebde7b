import type { ErrorLike } from '@apollo/client';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { failuresOf } from './failure.ts';
import { Failures } from './failures.tsx';

interface MoreProps {
  /** Cursor of the last row shown. */
  after: string;
  load: (after: string) => Promise<{ error?: ErrorLike | undefined }>;
  /** Load when the button comes near the window, as in endless lists. */
  whenNear?: boolean;
  children: string;
}

/** A button that loads the next page. */
export function More({ after, load, whenNear = false, children }: MoreProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<ErrorLike>();

  async function loadNext() {
    setLoading(true);
    const result = await load(after);
    setError(result.error);
    setLoading(false);
  }
  const onNear = useEffectEvent(() => void loadNext());

  useEffect(() => {
    // After a failure the next attempt is the user's.
    if (!whenNear || !after || error || !button.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNear(), { rootMargin: '400px' });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [whenNear, after, error]);

  return (
    <div aria-live="polite">
      <Failures failures={failuresOf(error)} />
      <button ref={button} type="button" onClick={loadNext} disabled={loading}>
        {loading ? 'Loading…' : children}
      </button>
    </div>
  );
}
