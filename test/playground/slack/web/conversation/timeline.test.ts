import { describe, expect, it } from 'vitest';
import type { PageMessage, PageRefusal } from '../../../../../playground/slack/server/page-protocol.js';
import {
  compareTs,
  mainMessages,
  threadMessages,
  timeline,
  unreadCount,
} from '../../../../../playground/slack/web/conversation/timeline.js';

const noon = Date.UTC(2026, 10, 20, 11);

function message(minutes: number, more: Partial<PageMessage> = {}): PageMessage {
  const at = noon + minutes * 60_000;
  return {
    channel: 'C1',
    ts: `${Math.floor(at / 1000)}.000100`,
    at,
    user: 'U1',
    text: 'hello',
    blocks: [],
    replyCount: 0,
    files: [],
    ephemeral: false,
    state: {},
    ...more,
  };
}
const known = (...messages: PageMessage[]) =>
  new Map(messages.map((one) => [`${one.channel}/${one.ts}`, one]));
const kinds = (items: ReturnType<typeof timeline>) =>
  items.map((item) => (item.kind === 'message' ? (item.compact ? 'more' : 'message') : item.kind));

describe('a conversation', () => {
  it('groups messages of a person within five minutes, and separates days in the reader’s time zone', () => {
    const messages = [message(-720), message(0), message(4), message(10), message(11, { user: 'U2' })];
    expect(kinds(timeline(messages, [], 'UTC'))).toEqual([
      'day',
      'message',
      'day',
      'message',
      'more',
      'message',
      'message',
    ]);
    expect(kinds(timeline([message(-1), message(0)], [], 'Pacific/Auckland'))).toEqual([
      'day',
      'message',
      'day',
      'message',
    ]);
  });

  it('never groups ephemeral messages and notices', () => {
    const messages = [
      message(0),
      message(1, { ephemeral: true }),
      message(2),
      message(3, { notice: 'channel_join' }),
    ];
    expect(kinds(timeline(messages, [], 'UTC'))).toEqual(['day', 'message', 'message', 'message', 'message']);
  });

  it('shows a refusal at its time', () => {
    const refusal: PageRefusal = {
      id: 1,
      at: noon + 30_000,
      method: 'chat.postMessage',
      error: 'invalid_blocks',
      sentence: 'Refused.',
      rules: [],
      channel: 'C1',
    };
    expect(kinds(timeline([message(0), message(1)], [refusal], 'UTC'))).toEqual([
      'day',
      'message',
      'refusal',
      'message',
    ]);
    expect(kinds(timeline([], [refusal], 'UTC'))).toEqual(['refusal']);
  });

  it('keeps replies in their thread', () => {
    const parent = message(0, { replyCount: 1 });
    const reply = message(1, { threadTs: parent.ts });
    const other = message(2, { channel: 'C2' });
    const all = known(reply, { ...parent, threadTs: parent.ts }, other);
    expect(mainMessages(all, 'C1').map((one) => one.ts)).toEqual([parent.ts]);
    expect(threadMessages(all, 'C1', parent.ts).map((one) => one.ts)).toEqual([parent.ts, reply.ts]);
  });

  it('compares all digits of timestamps', () => {
    expect(compareTs('1795000000.000009', '1795000000.000010')).toBeLessThan(0);
    expect(compareTs('999999999.000001', '1795000000.000001')).toBeLessThan(0);
  });

  it('counts messages of others after the last seen one', () => {
    const seen = message(0);
    const all = known(
      seen,
      message(1, { user: 'U2' }),
      message(2),
      message(3, { user: 'U2', threadTs: seen.ts }),
    );
    expect(unreadCount(all, 'C1', seen.ts, 'U1')).toBe(1);
    expect(unreadCount(all, 'C1', undefined, 'U9')).toBe(3);
  });
});
