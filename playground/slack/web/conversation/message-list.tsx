import { useMemo, useRef } from 'react';
import type { PageMessage, Refusal } from '../../server/page-protocol.js';
import { useArrowKeys } from '../parts/use-arrow-keys.js';
import { useDirectory } from '../text/directory.js';
import { formatSlackDate } from '../text/slack-date.js';
import { MessageView } from './message-view.js';
import { RefusalCard } from './refusal-card.js';
import { timeline } from './timeline.js';
import { useStayAtEnd } from './use-stay-at-end.js';

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
