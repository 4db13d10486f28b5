import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { PageMessage, Refusal } from '../../server/page-protocol.js';
import { useArrowKeys } from '../parts/hooks.js';
import { formatSlackDate } from '../text/dates.js';
import { useDirectory } from '../text/directory.js';
import { MessageView } from './message-view.js';
import { RefusalCard } from './refusals.js';
import { timeline } from './timeline.js';

interface MessageListProps {
  /** Names the list for a screen reader. */
  label: string;
  messages: readonly PageMessage[];
  refusals?: readonly Refusal[];
  /** Counts what the reader sent from here; each brings the end in sight. */
  sent?: number;
  openThread?: (ts: string) => void;
  /** Stands above the first message. */
  children?: React.ReactNode;
}

const noRefusals: readonly Refusal[] = [];

/** Messages from old to new. New ones are read out, and stay in sight for who is at the end. */
export function MessageList(props: MessageListProps) {
  const { label, messages, refusals = noRefusals, sent = 0, openThread, children } = props;
  const { zone, now } = useDirectory();
  const items = useMemo(() => timeline(messages, refusals, zone), [messages, refusals, zone]);
  const list = useRef<HTMLDivElement>(null);
  const { behind, toEnd } = useStayAtEnd(list, items.length, sent);
  const onKeyDown = useArrowKeys('article.message');
  return (
    <div className="message-frame">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus among the articles inside. */}
      <div ref={list} className="messages" onKeyDown={onKeyDown}>
        <div className="messages-end">
          {children}
          <div role="log" aria-label={label}>
            {items.map((item) => {
              if (item.kind === 'message') {
                return (
                  <MessageView
                    key={item.key}
                    message={item.message}
                    compact={item.compact}
                    openThread={openThread}
                  />
                );
              }
              if (item.kind === 'refusal') return <RefusalCard key={item.key} refusal={item.refusal} />;
              return (
                <div key={item.key} className="day">
                  <span>{formatSlackDate(item.at / 1000, '{day_divider_pretty}', { zone, now: now() })}</span>
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {behind ? (
        <button type="button" className="to-end" onClick={toEnd}>
          New messages ↓
        </button>
      ) : null}
    </div>
  );
}

const near = 80;

/**
 * Keeps a scrolling list at its end while the reader is there, also when what it holds grows later, and brings it there
 * when `sent` changes. `behind` is true when the list got longer below what is in sight; `length` counts its items.
 */
function useStayAtEnd(
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
