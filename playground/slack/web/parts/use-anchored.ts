import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps a `popover` element beside its anchor while it is open: below where there is room, else above, in the top
 * layer, so that no scrolling frame cuts it off.
 */
export function useAnchored<P extends HTMLElement>(
  anchor: RefObject<HTMLElement | null>,
  open: boolean,
  align: 'start' | 'end' = 'start',
): RefObject<P | null> {
  const popover = useRef<P>(null);
  useLayoutEffect(() => {
    const box = popover.current;
    if (!open || !box) return;
    box.showPopover();
    const settle = () => {
      const around = anchor.current?.getBoundingClientRect();
      if (!around) return;
      box.style.minWidth = `${around.width}px`;
      const { offsetWidth, offsetHeight } = box;
      const below = window.innerHeight - around.bottom - 8;
      const above = around.top - 8;
      const upwards = offsetHeight > below && above > below;
      box.style.maxHeight = `${Math.min(360, upwards ? above : below)}px`;
      box.style.top = `${upwards ? Math.max(8, around.top - Math.min(offsetHeight, above) - 4) : around.bottom + 4}px`;
      const left = align === 'start' ? around.left : around.right - offsetWidth;
      box.style.left = `${Math.max(8, Math.min(left, window.innerWidth - offsetWidth - 8))}px`;
    };
    settle();
    const observer = new ResizeObserver(settle);
    observer.observe(box);
    window.addEventListener('scroll', settle, true);
    window.addEventListener('resize', settle);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', settle, true);
      window.removeEventListener('resize', settle);
    };
  }, [open, anchor, align]);
  return popover;
}
