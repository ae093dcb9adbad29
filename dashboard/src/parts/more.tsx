import { useEffect, useRef } from 'preact/hooks';
import { parts } from '../words/parts.ts';

/** So many come by themselves; who wants to see more of them than that is asked to say so. */
const BY_ITSELF = 1_000;

/** At the end of a list of which there is more: it comes by itself when somebody gets there, or by the button. */
export function More({ onMore, shown, total }: { onMore: () => void; shown: number; total: number }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!button.current || shown >= BY_ITSELF) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
      },
      { rootMargin: '600px' },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [shown, onMore]);
  return (
    <p class="load-more">
      <button ref={button} type="button" onClick={onMore}>
        {parts.moreOf(shown, total)}
      </button>
    </p>
  );
}
