import { type RefObject, useEffect, useRef, useState } from 'react';

const near = 80;

/**
 * Keeps a scrolling list at its end while the reader is there, also when what it holds grows later. `behind` is true
 * when something was added below what is in sight.
 */
export function useStayAtEnd(list: RefObject<HTMLElement | null>): { behind: boolean; toEnd(): void } {
  const [behind, setBehind] = useState(false);
  const atEnd = useRef(true);
  useEffect(() => {
    const frame = list.current;
    const content = frame?.firstElementChild;
    if (!frame || !content) return;
    let height = 0;
    const onScroll = () => {
      atEnd.current = frame.scrollHeight - frame.scrollTop - frame.clientHeight < near;
      if (atEnd.current) setBehind(false);
    };
    const observer = new ResizeObserver(() => {
      if (atEnd.current) frame.scrollTop = frame.scrollHeight;
      else if (frame.scrollHeight > height + 40) setBehind(true);
      height = frame.scrollHeight;
    });
    observer.observe(content);
    observer.observe(frame);
    frame.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      frame.removeEventListener('scroll', onScroll);
    };
  }, [list]);
  return {
    behind,
    toEnd: () => list.current?.scrollTo({ top: list.current.scrollHeight, behavior: 'smooth' }),
  };
}
