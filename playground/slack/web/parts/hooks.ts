import {
  createElement,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/**
 * Positions an open `popover` element at its anchor: below if there is room, else above. It is in the top
 * layer, so that no scrolling element clips it.
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
    const reposition = () => {
      const anchorBox = anchor.current?.getBoundingClientRect();
      if (!anchorBox) return;
      box.style.minWidth = `${anchorBox.width}px`;
      const { offsetWidth, offsetHeight } = box;
      const below = window.innerHeight - anchorBox.bottom - 8;
      const above = anchorBox.top - 8;
      const upwards = offsetHeight > below && above > below;
      box.style.maxHeight = `${Math.min(360, upwards ? above : below)}px`;
      box.style.top = `${upwards ? Math.max(8, anchorBox.top - Math.min(offsetHeight, above) - 4) : anchorBox.bottom + 4}px`;
      const left = align === 'start' ? anchorBox.left : anchorBox.right - offsetWidth;
      box.style.left = `${Math.max(8, Math.min(left, window.innerWidth - offsetWidth - 8))}px`;
    };
    reposition();
    const observer = new ResizeObserver(reposition);
    observer.observe(box);
    window.addEventListener('scroll', reposition, true);
    window.addEventListener('resize', reposition);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', reposition, true);
      window.removeEventListener('resize', reposition);
    };
  }, [open, anchor, align]);
  return popover;
}

/** Moves the focus among the elements of a selector with the up and down arrows, Home and End. */
export function useArrowKeys(selector: string): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const target = event.target as HTMLElement;
    if (!target.matches(selector)) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
    const at = all.indexOf(target);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  };
}

/** Opens a `<dialog>` as modal while it is rendered. Closing restores the focus. */
export function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const box = dialog.current;
    box?.showModal();
    return () => box?.close();
  }, []);
  return dialog;
}

/** Gives the focus back to the element that had it before this part appeared, once this part is gone. */
export function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    },
    [opener],
  );
}

/** The browser's time in milliseconds, updated at an interval. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return now;
}

/** The current width of an element in pixels; `initialWidth` before the first measurement. */
export function useWidth<E extends HTMLElement>(initialWidth: number): [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(initialWidth);
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

/** Whether a frame that scrolls sideways has more content to its left and right. */
export function useSidewaysOverflow<E extends HTMLElement>(): [
  RefObject<E | null>,
  { readonly left: boolean; readonly right: boolean },
] {
  const frame = useRef<E>(null);
  const [more, setMore] = useState({ left: false, right: false });
  useLayoutEffect(() => {
    const box = frame.current;
    if (!box) return;
    const measure = () => {
      const left = box.scrollLeft > 1;
      const right = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
      setMore((before) => (before.left === left && before.right === right ? before : { left, right }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    box.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', measure);
    };
  }, []);
  return [frame, more];
}

/** Renders a list that is always replaced as a whole, so that its items need no keys. */
export function renderList<T>(items: readonly T[], draw: (item: T, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map(draw));
}
