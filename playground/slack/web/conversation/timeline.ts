import type { PageMessage, PageRefusal } from '../../server/page-protocol.js';
import { isoDay } from '../text/dates.js';

/** An item of a conversation. */
export type TimelineItem =
  | { readonly kind: 'day'; readonly at: number; readonly key: string }
  | {
      readonly kind: 'message';
      readonly message: PageMessage;
      readonly compact: boolean;
      readonly key: string;
    }
  | { readonly kind: 'refusal'; readonly refusal: PageRefusal; readonly key: string };

const groupWithinMs = 5 * 60_000;

/**
 * Messages and refusals in order of time, with a divider for each day. Messages of one person within five
 * minutes form a group with one name.
 */
export function timeline(
  messages: readonly PageMessage[],
  refusals: readonly PageRefusal[],
  zone: string,
): TimelineItem[] {
  const items: TimelineItem[] = [];
  let day = '';
  let previous: PageMessage | undefined;
  const remaining = refusals.toSorted((a, b) => a.at - b.at);
  const addRefusals = (until: number) => {
    while (remaining[0] && remaining[0].at < until) {
      const refusal = remaining.shift();
      if (refusal) items.push({ kind: 'refusal', refusal, key: `refusal-${refusal.id}` });
      previous = undefined;
    }
  };
  for (const message of messages) {
    addRefusals(message.at);
    const messageDay = isoDay(message.at, zone);
    if (messageDay !== day) {
      items.push({ kind: 'day', at: message.at, key: `day-${messageDay}` });
      day = messageDay;
      previous = undefined;
    }
    items.push({ kind: 'message', message, compact: continuesGroup(message, previous), key: message.ts });
    previous = message;
  }
  addRefusals(Number.POSITIVE_INFINITY);
  return items;
}

function continuesGroup(message: PageMessage, previous: PageMessage | undefined): boolean {
  return (
    previous !== undefined &&
    previous.user === message.user &&
    !message.notice &&
    !previous.notice &&
    !message.ephemeral &&
    !previous.ephemeral &&
    previous.replyCount === 0 &&
    message.at - previous.at < groupWithinMs
  );
}

/** The messages of a channel that are not replies, oldest first. */
export function mainMessages(messages: ReadonlyMap<string, PageMessage>, channel: string): PageMessage[] {
  return sortedByTime(messages, (message) => message.channel === channel && !isReply(message));
}

/** A thread: the parent, then its replies. */
export function threadMessages(
  messages: ReadonlyMap<string, PageMessage>,
  channel: string,
  ts: string,
): PageMessage[] {
  return sortedByTime(
    messages,
    (message) => message.channel === channel && (message.ts === ts || message.threadTs === ts),
  );
}

export function isReply(message: PageMessage): boolean {
  return message.threadTs !== undefined && message.threadTs !== message.ts;
}

function sortedByTime(
  messages: ReadonlyMap<string, PageMessage>,
  wanted: (message: PageMessage) => boolean,
): PageMessage[] {
  return [...messages.values()].filter(wanted).sort((a, b) => compareTs(a.ts, b.ts));
}

/** Slack's timestamps have more digits than a JavaScript number holds, so they are compared in two parts. */
export function compareTs(a: string, b: string): number {
  const [secondsA = '', fractionA = ''] = a.split('.');
  const [secondsB = '', fractionB = ''] = b.split('.');
  return Number(secondsA) - Number(secondsB) || fractionA.localeCompare(fractionB);
}

/** The number of messages of others after the last seen one. */
export function unreadCount(
  messages: ReadonlyMap<string, PageMessage>,
  channel: string,
  seen: string | undefined,
  me: string,
): number {
  let count = 0;
  for (const message of messages.values()) {
    if (message.channel !== channel || isReply(message) || message.user === me || message.notice) continue;
    if (seen === undefined || compareTs(message.ts, seen) > 0) count += 1;
  }
  return count;
}
