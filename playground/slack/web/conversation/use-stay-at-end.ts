import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

const near = 80;

/**
 * Keeps a scrolling list at its end while the reader is there, also when what it holds grows later, and brings it there
 * when `sent` changes. `behind` is true when the list got longer below what is in sight; `length` counts its items.
 */
export function useStayAtEnd(
  list: RefObject<HTMLElement | null>,
  length: number,
  sent: number,
): { behind: boolean; toEnd(): void } {
  const [behind, setBehind] = useState(false);
  const atEnd = useRef(true);
  useEffect(() => {
    const frame = list.current;
    const content = frame?.firstElementChild;
    if (!frame || !content) return;
    let top = 0;
    const onScroll = () => {
      const isNear = frame.scrollHeight - frame.scrollTop - frame.clientHeight < near;
      // Content that grew leaves the end behind without anybody having scrolled away from it.
      if (isNear || frame.scrollTop < top - 1) atEnd.current = isNear;
      top = frame.scrollTop;
      if (isNear) setBehind(false);
    };
    const observer = new ResizeObserver(() => {
      if (atEnd.current) frame.scrollTop = frame.scrollHeight;
    });
    observer.observe(content);
    observer.observe(frame);
    frame.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      frame.removeEventListener('scroll', onScroll);
    };
  }, [list]);
  const lengthBefore = useRef(length);
  useEffect(() => {
    if (length > lengthBefore.current && !atEnd.current) setBehind(true);
    lengthBefore.current = length;
  }, [length]);
  useLayoutEffect(() => {
    if (sent === 0 || !list.current) return;
    atEnd.current = true;
    list.current.scrollTop = list.current.scrollHeight;
  }, [sent, list]);
  return {
    behind,
    toEnd: () => list.current?.scrollTo({ top: list.current.scrollHeight, behavior: 'smooth' }),
  };
}
