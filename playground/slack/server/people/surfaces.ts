import { common, onMessage, personIn } from '../delivery/payloads.js';
import type { StateValues, Surface } from '../page-protocol.js';
import { describeView } from '../web-api/view-payload.js';
import { findMessage } from '../workspace/messages.js';
import type { Channel, Message, Thing, View } from '../workspace/records.js';
import { elementsIn, type FoundElement, initialState, overlay } from '../workspace/state-values.js';
import { channelSeenBy, NotPossible, personNamed, type Stage } from './stage.js';

/** The message or view that a person is using. */
export type Used =
  | { readonly kind: 'message'; readonly channel: Channel; readonly message: Message }
  | { readonly kind: 'view'; readonly view: View };

export function surfaceUsedBy(stage: Stage, user: string, surface: Surface): Used {
  const { workspace, views } = stage.api;
  if (surface.kind === 'view') {
    const view = views.find({ viewId: surface.view });
    if (view?.user !== user) throw new NotPossible('This view is no longer there.');
    return { kind: 'view', view };
  }
  const channel = channelSeenBy(stage, user, surface.channel);
  const message = findMessage(workspace, channel.id, surface.ts);
  if (!message || (message.visibleTo && message.visibleTo !== user))
    throw new NotPossible('This message is no longer there.');
  return { kind: 'message', channel, message };
}

export function blocksOf(used: Used): readonly Thing[] {
  return used.kind === 'view' ? used.view.content.blocks : used.message.blocks;
}

export function elementUsed(used: Used, blockId: string, actionId: string): FoundElement {
  const found = elementsIn(blocksOf(used)).find(
    ({ block, element }) => block.block_id === blockId && element.action_id === actionId,
  );
  if (!found) throw new NotPossible('This element is no longer there.');
  return found;
}

/** What the person has in the inputs of a surface now. */
export function stateOf(used: Used, user: string): StateValues {
  if (used.kind === 'view') return used.view.state;
  return used.message.state.get(user) ?? initialState(used.message.blocks);
}

/** Puts newer values into the inputs of a surface; what it does not hold is left out. */
export function typeInto(used: Used, user: string, newer: StateValues): void {
  const state = overlay(stateOf(used, user), newer);
  if (used.kind === 'view') used.view.state = state;
  else used.message.state.set(user, state);
}

/** The members of an interaction's payload that name the surface. */
export function whereUsed(stage: Stage, used: Used, user: string): Thing {
  const { workspace, origin } = stage.api;
  const values = stateOf(used, user);
  const person = personIn(personNamed(stage, user));
  if (used.kind === 'view')
    return {
      ...common(workspace),
      user: person,
      container: { type: 'view', view_id: used.view.id },
      view: describeView(workspace, used.view),
    };
  return {
    ...common(workspace),
    user: person,
    ...onMessage(workspace, used.message, used.channel, origin()),
    state: { values },
  };
}

/** Says on the surface that a click went wrong; nothing takes it away. */
export function markFailed(stage: Stage, used: Used, user: string, sentence: string | undefined): void {
  if (used.kind === 'view') {
    if (sentence) used.view.failed = sentence;
    else delete used.view.failed;
    stage.api.views.touch(used.view);
    return;
  }
  if (sentence) used.message.failed.set(user, sentence);
  else if (!used.message.failed.delete(user)) return;
  stage.api.workspace.news.tell({ type: 'message', message: used.message, how: 'touched' });
}
