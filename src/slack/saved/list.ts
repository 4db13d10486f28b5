import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import { notifyAsker } from '../delivery/notify-asker.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { digestReader, rowsOf } from '../digests/manage.js';
import type { Page } from '../home.js';
import type { ListenerParts } from '../listeners/context.js';
import { digestBlocks, digestPageSize } from '../messages/digest-list.js';
import { notice } from '../messages/notices.js';
import {
  digestsMessage,
  type SavedReader,
  savedListMessages,
  savedPageSize,
} from '../messages/saved-reports.js';
import { type RequestContext, resolveAsker, resolveConversation } from '../request-context.js';
import { mayChange, savingRefusal } from './saved-reports.js';

/** What a message of the list holds: saved reports and digests, or one of them where they have a message each. */
type ListContents = 'both' | 'saved' | 'digests';

/** What is to be seen of the list. */
export interface ListView {
  /** How many saved reports come before it. */
  readonly savedFrom?: number;
  readonly digestsFrom?: number;
  /** What the message holds that it takes the place of, where that is known. */
  readonly contents?: ListContents;
  /** One that the reader has just deleted. */
  readonly deleted?: SavedReport;
}

/** `/report list`: what this channel keeps, for whoever asked for it alone. */
export async function showList(asked: RequestContext, parts: ListenerParts): Promise<void> {
  const place = await resolveConversation(asked, parts);
  for (const message of await listMessages(asked, parts, {})) {
    await notifyAsker(message, asked.asker, place, parts.client);
  }
}

/** The list as it is now, in place of the one whose button was pressed. What follows it in a message of its own stays. */
export async function refreshList(
  asked: RequestContext,
  parts: ListenerParts,
  view: ListView,
): Promise<void> {
  const [message, ...rest] = await listMessages(asked, parts, view);
  const replaced = await asked.responseUrl?.replaceOriginal(message);
  // What was in one message may not fit into one any more.
  const left = view.contents === 'both' ? rest : [];
  const toTell = replaced?.kind === 'posted' ? left : [message, ...left];
  if (toTell.length === 0) return;
  const place = await resolveConversation(asked, parts);
  for (const one of toTell) await notifyAsker(one, asked.asker, place, parts.client);
}

/** The value of a button to another part of the list. */
export function formatListView({ savedFrom = 0, digestsFrom = 0, contents = 'both' }: ListView): string {
  return `${savedFrom} ${digestsFrom} ${contents}`;
}

/** What a button with such a value asks for. */
export function parseListView(value: string): ListView {
  const [from, digestsFrom, held] = value.split(' ');
  const count = (text: string | undefined) => Math.max(0, Math.trunc(Number(text)) || 0);
  return {
    savedFrom: count(from),
    digestsFrom: count(digestsFrom),
    contents: held === 'saved' || held === 'digests' ? held : 'both',
  };
}

async function listMessages(
  asked: RequestContext,
  parts: ListenerParts,
  view: ListView,
): Promise<readonly [OutgoingMessage, ...OutgoingMessage[]]> {
  const who = await resolveAsker(asked.asker, parts.people, parts.defaultZone);
  if (!who.ok) return [notice(who.refusal)];
  const place = await resolveConversation(asked, parts);
  const reason = await savingRefusal(place, parts);
  if (reason !== undefined) return [notice(reason)];
  const { channel } = asked;
  const reader = readerOf(who.value, place.personLevel === 'allowed', parts);
  const { savedReports, digests } = parts.store;
  const saved = await pageOf(savedPageSize, view.savedFrom ?? 0, (limit, from) =>
    savedReports.inChannels([channel], limit, from),
  );
  const coming = await pageOf(digestPageSize, view.digestsFrom ?? 0, (limit, from) =>
    digests.inChannel(channel, limit, from),
  );
  const page = { ...coming, rows: await rowsOf(coming.items, parts.store) };
  const others = (alone: boolean) => {
    const valueFor = (from: number) =>
      formatListView({ savedFrom: saved.from, digestsFrom: from, contents: alone ? 'digests' : 'both' });
    const list = valueFor(coming.from);
    return digestBlocks(page, { ...digestReader(reader, false, parts), list }, valueFor);
  };
  if (view.contents === 'digests') return [digestsMessage(others(true))];
  return savedListMessages(
    {
      ...saved,
      reports: saved.items,
      deleted: view.deleted,
      others: view.contents === 'saved' ? () => [] : others,
      pageValue: (savedFrom, alone) =>
        formatListView({
          savedFrom,
          digestsFrom: coming.from,
          contents: alone || view.contents === 'saved' ? 'saved' : 'both',
        }),
    },
    reader,
  );
}

export function readerOf(
  { id, zone }: { readonly id: string; readonly zone: string },
  seesPeople: boolean,
  parts: Pick<ListenerParts, 'admins'>,
): SavedReader {
  return { user: id, zone, seesPeople, mayChange: (saved) => mayChange(saved, id, parts) };
}

/**
 * A page of what is found from a place on; the last one where there is nothing any more, since what stood there may be
 * gone by now.
 */
export async function pageOf<Item>(
  size: number,
  from: number,
  find: (limit: number, from: number) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const found = await find(size + 1, from);
  if (found.length === 0 && from > 0) return pageOf(size, Math.max(0, from - size), find);
  return { items: found.slice(0, size), from, more: found.length > size };
}
