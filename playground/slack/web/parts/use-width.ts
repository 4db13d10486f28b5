import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width in pixels that an element has now; `before` until it is first measured. */
export function useWidth<E extends HTMLElement>(before: number): [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(before);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(240, Math.floor(entry.contentRect.width)));
    });
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
