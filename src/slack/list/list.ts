import type { Asker } from '../../requests/request.js';
import type { SavedReport } from '../../store/saved/saved-reports.js';
import type { ListenerParts } from '../answers/context.js';
import { replyInContext } from '../context/notify-asker.js';
import type { PlacedContext } from '../context/request-context.js';
import { openOffer } from '../digests/hand-over.js';
import type { Page } from '../messages/blocks.js';
import { digestBlocks, digestPageSize } from '../messages/digest-list.js';
import { notice } from '../messages/notices.js';
import { type ListContents, listMessagesOf, savedBlocks, savedPageSize } from '../messages/saved-reports.js';
import { changesAs, type Item } from '../saved/items.js';
import { savingRefusal } from '../saved/saved-reports.js';
import { rowsOf } from './manage.js';

export interface ListView {
  readonly savedFrom?: number;
  readonly digestsFrom?: number;
  /** The contents of the message that is replaced, if known. */
  readonly contents?: ListContents;
  readonly deleted?: SavedReport;
}

/** Handles `/report list`: shows the channel's saved reports and digests to the asker alone. */
export async function showList(context: PlacedContext, parts: ListenerParts): Promise<void> {
  for (const message of await listMessages(context, parts, {})) {
    await replyInContext(message, context, parts);
  }
}

/** Replaces the message whose button was pressed with the current list. The other message of a long list stays. */
export async function refreshList(
  context: PlacedContext,
  parts: ListenerParts,
  view: ListView,
): Promise<void> {
  const [message, ...rest] = await listMessages(context, parts, view);
  const replaced = await context.responseUrl?.replaceOriginal(message);
  // A list that was one message may now need two.
  const added = view.contents === 'both' ? rest : [];
  const unsent = replaced?.kind === 'posted' ? added : [message, ...added];
  for (const next of unsent) await replyInContext(next, context, parts);
}

export function formatListView({ savedFrom = 0, digestsFrom = 0, contents = 'both' }: ListView): string {
  return `${savedFrom} ${digestsFrom} ${contents}`;
}

export function parseListView(value: string): ListView {
  const [savedFrom, digestsFrom, contents] = value.split(' ');
  const count = (text: string | undefined) => Math.max(0, Math.trunc(Number(text)) || 0);
  return {
    savedFrom: count(savedFrom),
    digestsFrom: count(digestsFrom),
    contents: contents === 'saved' || contents === 'digests' ? contents : 'both',
  };
}

async function listMessages(
  { channel, member, conversation }: PlacedContext,
  parts: ListenerParts,
  view: ListView,
) {
  const reason = await savingRefusal(conversation, parts);
  if (reason !== undefined) return [notice(reason)];
  const reader = await readerOf(member, conversation.personLevel === 'allowed', parts);
  const { savedReports, digests } = parts.store;
  const saved = await pageOf(savedPageSize, view.savedFrom ?? 0, (limit, from) =>
    savedReports.inChannels([channel], limit, from),
  );
  const scheduled = await pageOf(digestPageSize, view.digestsFrom ?? 0, (limit, from) =>
    digests.inChannel(channel, limit, from),
  );
  const page = {
    ...scheduled,
    items: await rowsOf(
      scheduled.items,
      { user: member.id, seesFew: reader.seesPeople, here: channel },
      parts,
    ),
  };
  const blocksOf = (contents: ListContents) => {
    const value = (changes: ListView = {}) =>
      formatListView({ savedFrom: saved.from, digestsFrom: scheduled.from, contents, ...changes });
    const digestReader = { ...reader, withChannel: false, list: value() };
    return {
      saved: savedBlocks(saved, reader, (savedFrom) => value({ savedFrom }), view.deleted),
      digests: digestBlocks(page, digestReader, (digestsFrom) => value({ digestsFrom })),
    };
  };
  return listMessagesOf(saved, blocksOf, view.contents);
}

export async function readerOf(
  { id, zone }: Asker,
  seesPeople: boolean,
  { access, clock }: Pick<ListenerParts, 'access' | 'clock'>,
) {
  const now = clock.now();
  return {
    user: id,
    zone,
    seesPeople,
    mayChange: changesAs(id, await access.isAdmin(id)),
    offeredTo: (saved: Item) => openOffer(saved, now)?.id,
  };
}

/** The page that starts at `from`. If the items there are gone, the last page before it. */
export async function pageOf<Item>(
  size: number,
  from: number,
  find: (limit: number, from: number) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const found = await find(size + 1, from);
  if (found.length === 0 && from > 0) return pageOf(size, Math.max(0, from - size), find);
  return { items: found.slice(0, size), from, more: found.length > size };
}
