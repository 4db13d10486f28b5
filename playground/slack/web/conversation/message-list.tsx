import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { PageMessage, PageRefusal } from '../../server/page-protocol.js';
import { useDirectory, useWorkspace } from '../connection/connection.js';
import { useArrowKeys } from '../parts/hooks.js';
import { formatSlackDate } from '../text/dates.js';
import { MessageView } from './message-view.js';
import { timeline } from './timeline.js';

interface MessageListProps {
  /** Accessible name of the list. */
  label: string;
  messages: readonly PageMessage[];
  refusals?: readonly PageRefusal[];
  /** The number of messages sent from here. The list scrolls to the end when it changes. */
  sent?: number;
  openThread?: (ts: string) => void;
  /** Content above the first message. */
  children?: React.ReactNode;
}

const noRefusals: readonly PageRefusal[] = [];

/** Messages, oldest first. Screen readers read new ones. The list stays at its end while the reader is there. */
export function MessageList(props: MessageListProps) {
  const { label, messages, refusals = noRefusals, sent = 0, openThread, children } = props;
  const { zone, now } = useDirectory();
  const items = useMemo(() => timeline(messages, refusals, zone), [messages, refusals, zone]);
  const list = useRef<HTMLDivElement>(null);
  const { hasNewBelow, scrollToEnd } = useStickToEnd(list, items.length, sent);
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
      {hasNewBelow ? (
        <button type="button" className="to-end" onClick={scrollToEnd}>
          New messages ↓
        </button>
      ) : null}
    </div>
  );
}

const nearEndPixels = 80;

/**
 * Keeps a list scrolled to its end while the reader is there, also when its content grows, and scrolls there
 * when `sent` changes. `hasNewBelow` is true if items were added below the visible part; `length` counts the items.
 */
function useStickToEnd(
  list: RefObject<HTMLElement | null>,
  length: number,
  sent: number,
): { hasNewBelow: boolean; scrollToEnd(): void } {
  const [hasNewBelow, setHasNewBelow] = useState(false);
  const atEnd = useRef(true);
  useEffect(() => {
    const frame = list.current;
    const content = frame?.firstElementChild;
    if (!frame || !content) return;
    let top = 0;
    const onScroll = () => {
      const isNear = frame.scrollHeight - frame.scrollTop - frame.clientHeight < nearEndPixels;
      // Growing content moves the end away without any scrolling by the reader.
      if (isNear || frame.scrollTop < top - 1) atEnd.current = isNear;
      top = frame.scrollTop;
      if (isNear) setHasNewBelow(false);
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
    if (length > lengthBefore.current && !atEnd.current) setHasNewBelow(true);
    lengthBefore.current = length;
  }, [length]);
  useLayoutEffect(() => {
    if (sent === 0 || !list.current) return;
    atEnd.current = true;
    list.current.scrollTop = list.current.scrollHeight;
  }, [sent, list]);
  return {
    hasNewBelow,
    scrollToEnd: () => list.current?.scrollTo({ top: list.current.scrollHeight, behavior: 'smooth' }),
  };
}

const maxBannerRefusals = 3;

/** New refusals without a channel, such as a modal that Slack would not open. */
export function RefusalBanner() {
  const { refusals, lastOldRefusalId } = useWorkspace();
  const [dismissed, setDismissed] = useState(0);
  const shown = refusals.filter(
    (refusal) => refusal.channel === undefined && refusal.id > Math.max(lastOldRefusalId, dismissed),
  );
  if (shown.length === 0) return null;
  return (
    <div className="refusal-banner" role="alert">
      {shown.slice(0, maxBannerRefusals).map((refusal) => (
        <RefusalCard key={refusal.id} refusal={refusal} dismiss={() => setDismissed(refusal.id)} />
      ))}
    </div>
  );
}

/** A payload that Slack would refuse, with the violated rules. */
function RefusalCard({ refusal, dismiss }: { refusal: PageRefusal; dismiss?: (() => void) | undefined }) {
  return (
    <section className="refusal" aria-label={`Slack would refuse ${refusal.method}`}>
      <p className="refusal-head">
        <strong>Slack would refuse this</strong>
        <code>{refusal.method}</code>
        <code className="refusal-error">{refusal.error}</code>
        {dismiss ? (
          <button type="button" className="link-button refusal-dismiss" onClick={dismiss}>
            Dismiss
          </button>
        ) : null}
      </p>
      <p className="refusal-sentence">{refusal.sentence}</p>
      {refusal.rules.length > 0 ? (
        <ul className="refusal-rules">
          {refusal.rules.map((rule) => (
            <li key={`${rule.pointer} ${rule.code} ${rule.message}`}>
              <code>{rule.pointer || '/'}</code> {rule.message}{' '}
              <span className="refusal-code">{rule.code}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
