import { deletedEvent } from '../../access/record.js';
import { nextDueOf } from '../../digests/digest.js';
import { refused } from '../../errors/failure.js';
import { compact } from '../../requests/text.js';
import type { ListenerParts } from '../answers/context.js';
import type { MemberContext, PlacedContext } from '../context/request-context.js';
import { type ItemKind, maxSaved, tooManySavedThere } from '../limits.js';
import { refreshList } from '../list/list.js';
import { digestActions, digestDoneMessage } from '../messages/digests.js';
import { savedActions } from '../messages/saved-reports.js';
import {
  findItem,
  type Item,
  type Items,
  isDigest,
  ownedLimitReached,
  ownsTooMany,
  type Rule,
  recordItem,
  undoWindowMs,
} from '../saved/items.js';
import { type MakeForm, type OnPress, opens, type Press, press, type Route } from './router.js';

const menus = {
  digest: { buttons: digestActions, menu: digestActions.menu, title: 'Digest' },
  'saved report': { buttons: savedActions, menu: savedActions.more, title: 'Saved report' },
};

/** The IDs of an action on items: an option of their menu, and a button, if they have one. */
function idsOf(kind: ItemKind, action: string) {
  const buttons: Readonly<Record<string, string>> = menus[kind].buttons;
  return compact(buttons[action], `${menus[kind].menu} ${action}`);
}

/** A button of a digest or saved report, for people who may do that. */
export function onItem<Kind extends ItemKind>(
  kind: Kind,
  action: string,
  rule: Rule,
  then: (item: Items[Kind], pressed: Press<PlacedContext>, parts: ListenerParts) => Promise<void>,
): readonly Route[] {
  return idsOf(kind, action).map((id) =>
    press(id, 'conversation', async (pressed, parts) => {
      const found = await itemOf(kind, rule, pressed, parts);
      await (found.ok ? then(found.value, pressed, parts) : pressed.reply(found.refusal));
    }),
  );
}

/** The same for a button that opens a form. */
export function itemForm<Kind extends ItemKind>(
  kind: Kind,
  action: string,
  rule: Rule,
  build: (item: Items[Kind], context: MemberContext, parts: ListenerParts) => ReturnType<MakeForm>,
): readonly Route[] {
  return idsOf(kind, action).map((id) =>
    opens(id, 'member', menus[kind].title, async (pressed, parts) => {
      const found = await itemOf(kind, rule, pressed, parts);
      return found.ok ? build(found.value, pressed.context, parts) : found;
    }),
  );
}

async function itemOf<Kind extends ItemKind>(
  kind: Kind,
  rule: Rule,
  { value, context, onHome }: Press,
  parts: ListenerParts,
) {
  const words = value.split(' ');
  // Before the ID of a saved report is an action, and after that of a digest the page of a list.
  const id = kind === 'digest' ? words[0] : words.at(-1);
  const found = await findItem(kind, id ?? '', rule, context, parts);
  if (found.ok) return found;
  // The Home tab may be out of date.
  if (onHome) parts.home.changed(context.asker);
  return refused(found.refusal);
}

/** Undo: restores a deleted item within ten minutes. */
export function undo(kind: ItemKind): OnPress<PlacedContext> {
  return async ({ value, context, onHome, reply }, parts) => {
    const { asker } = context;
    const found = await findItem(kind, value, 'change', context, parts, true);
    const refusal = found.ok ? await restore(found.value, asker, parts) : found.refusal;
    if (!found.ok || refusal !== undefined) return reply(`Not restored. ${refusal}`);
    await recordItem((facts) => deletedEvent(facts, true), found.value, asker, parts);
    if (kind === 'digest') {
      const restored = await parts.store.digests.find(value);
      if (restored) await reply(digestDoneMessage('Restored', restored));
      parts.scheduler.checkNow();
    }
    if (onHome) return parts.home.show(asker);
    parts.home.changed(asker);
    if (kind === 'saved report') await refreshList(context, parts, {});
  };
}

/** Returns a sentence if the item cannot be restored. */
async function restore(item: Item, asker: string, parts: ListenerParts) {
  const { store, clock } = parts;
  const { id, owner } = item;
  const since = clock.now() - undoWindowMs;
  const gone = 'It was deleted more than ten minutes ago, or is already back.';
  if (isDigest(item)) {
    const limit = item.deletedAt && (await ownedLimitReached('digest', owner, parts, owner === asker));
    if (limit) return limit;
    const now = clock.now();
    const nextDue = item.state === 'paused' ? undefined : nextDueOf(item, now);
    return (await store.digests.restore(id, since, nextDue ?? null, now)) ? undefined : gone;
  }
  const restored = await store.savedReports.restore(id, since, maxSaved);
  if (restored.ok) return undefined;
  const sentences = {
    gone,
    full: tooManySavedThere,
    'too-many': ownsTooMany('saved report', owner === asker),
    taken: `Another saved report is now called “${item.name}”. Rename or delete it first.`,
  };
  return sentences[restored.refusal];
}
