import { createHash, randomBytes } from 'node:crypto';
import { ok, type Result, refused } from '../../../bot.js';
import type { JsonObject, StateValue, StateValues } from '../page-shapes.js';
import { withBlockIds } from './messages.js';
import type { SlackObject, View } from './records.js';
import type { Workspace } from './workspace.js';

const maxStackDepth = 3;

/** The open modals and the Home tabs, by person. */
export interface Views {
  /** Bottom first. */
  stackOf(user: string): readonly View[];
  homeOf(user: string): View | undefined;
  find(name: { readonly viewId?: string; readonly externalId?: string }): View | undefined;
  /** Opens a new stack with this view. It replaces the open stack. */
  open(user: string, content: ViewContent): View;
  /** Pushes a view onto the stack; undefined if the stack is full. */
  push(user: string, content: ViewContent): View | undefined;
  update(view: View, content: ViewContent): void;
  publish(user: string, content: ViewContent): View;
  /** Closes this view and the views above it. */
  closeFrom(view: View): void;
  closeAll(user: string): void;
  /** Emits a change beside the content: errors, values, waiting. */
  touch(view: View): void;
}

export type ViewContent = SlackObject & { readonly blocks: readonly SlackObject[] };

export function createViews(workspace: Workspace): Views {
  const stacks = new Map<string, View[]>();
  const homes = new Map<string, View>();
  let versions = 0;

  const stackOf = (user: string): readonly View[] => stacks.get(user) ?? [];
  const notify = (view: View) =>
    workspace.changes.emit({ type: view.type === 'home' ? 'home' : 'modals', user: view.user });

  function newHash(): string {
    versions += 1;
    const sum = createHash('sha1').update(`${versions}`).digest('base64url').slice(0, 8);
    return `${Math.floor(workspace.clock.now() / 1000)}.${sum}`;
  }

  function make(user: string, type: View['type'], content: ViewContent, below: View | undefined): View {
    const id = workspace.newId('V');
    const named = { ...content, blocks: withBlockIds(workspace, content.blocks) };
    return {
      id,
      type,
      user,
      content: named,
      hash: newHash(),
      state: initialState(named.blocks),
      rootId: below?.rootId ?? id,
      errors: {},
      waiting: false,
      previousId: below?.id,
    };
  }

  function update(view: View, content: ViewContent): void {
    view.content = { ...content, blocks: withBlockIds(workspace, content.blocks) };
    view.hash = newHash();
    view.state = keepTypedState(view.content.blocks, view.state);
    view.errors = {};
    delete view.failed;
    notify(view);
  }

  return {
    stackOf,
    homeOf: (user) => homes.get(user),
    find({ viewId, externalId }) {
      const all = [...homes.values(), ...[...stacks.values()].flat()];
      return all.find((view) =>
        viewId ? view.id === viewId : externalId !== undefined && view.content.external_id === externalId,
      );
    },
    open(user, content) {
      const view = make(user, 'modal', content, undefined);
      stacks.set(user, [view]);
      notify(view);
      return view;
    },
    push(user, content) {
      const stack = stackOf(user);
      if (stack.length >= maxStackDepth) return undefined;
      const view = make(user, 'modal', content, stack.at(-1));
      stacks.set(user, [...stack, view]);
      notify(view);
      return view;
    },
    update,
    publish(user, content) {
      const published = homes.get(user);
      if (published) {
        update(published, content);
        return published;
      }
      const view = make(user, 'home', content, undefined);
      homes.set(user, view);
      notify(view);
      return view;
    },
    closeFrom(view) {
      const at = stackOf(view.user).indexOf(view);
      if (at < 0) return;
      stacks.set(view.user, stackOf(view.user).slice(0, at));
      notify(view);
    },
    closeAll(user) {
      stacks.set(user, []);
      workspace.changes.emit({ type: 'modals', user });
    },
    touch: notify,
  };
}

type TriggerError = 'invalid_trigger_id' | 'trigger_expired' | 'trigger_exchanged';

/** Each interaction comes with a trigger, which lets the bot open one view within 3 seconds of real time. */
export interface Triggers {
  issue(user: string, fromView?: string): string;
  /** Uses the trigger up. Refuses with Slack's error. */
  exchange(trigger: string): Result<{ readonly user: string; readonly fromView?: string }, TriggerError>;
}

interface IssuedTrigger {
  readonly user: string;
  readonly fromView?: string;
  readonly at: number;
  used: boolean;
}

export function createTriggers(lifetimeMs: number, realNow: () => number = Date.now): Triggers {
  const issued = new Map<string, IssuedTrigger>();
  let count = 0;
  return {
    issue(user, fromView) {
      count += 1;
      const trigger = `${realNow()}.${count}.${randomBytes(16).toString('hex')}`;
      issued.set(trigger, { user, at: realNow(), used: false, fromView });
      return trigger;
    },
    exchange(trigger) {
      const found = issued.get(trigger);
      if (!found) return refused('invalid_trigger_id');
      if (found.used) return refused('trigger_exchanged');
      if (realNow() - found.at > lifetimeMs) return refused('trigger_expired');
      found.used = true;
      return ok({ user: found.user, fromView: found.fromView });
    },
  };
}

type Row = Record<string, StateValue>;

/** The members of each input type that hold its value and its initial value. */
const valueMembers: Readonly<
  Record<string, readonly [value: string, initial: string, empty: 'null' | 'list']>
> = {
  plain_text_input: ['value', 'initial_value', 'null'],
  number_input: ['value', 'initial_value', 'null'],
  email_text_input: ['value', 'initial_value', 'null'],
  url_text_input: ['value', 'initial_value', 'null'],
  rich_text_input: ['rich_text_value', 'initial_value', 'null'],
  datepicker: ['selected_date', 'initial_date', 'null'],
  timepicker: ['selected_time', 'initial_time', 'null'],
  datetimepicker: ['selected_date_time', 'initial_date_time', 'null'],
  static_select: ['selected_option', 'initial_option', 'null'],
  external_select: ['selected_option', 'initial_option', 'null'],
  radio_buttons: ['selected_option', 'initial_option', 'null'],
  users_select: ['selected_user', 'initial_user', 'null'],
  conversations_select: ['selected_conversation', 'initial_conversation', 'null'],
  channels_select: ['selected_channel', 'initial_channel', 'null'],
  checkboxes: ['selected_options', 'initial_options', 'list'],
  multi_static_select: ['selected_options', 'initial_options', 'list'],
  multi_external_select: ['selected_options', 'initial_options', 'list'],
  multi_users_select: ['selected_users', 'initial_users', 'list'],
  multi_conversations_select: ['selected_conversations', 'initial_conversations', 'list'],
  multi_channels_select: ['selected_channels', 'initial_channels', 'list'],
};

/** The member that holds an input's value in payloads; undefined for elements without a value, such as buttons. */
export function valueMemberOf(type: string): string | undefined {
  return valueMembers[type]?.[0];
}

export interface FoundElement {
  readonly block: SlackObject;
  readonly element: SlackObject;
}

/** Interactive elements of blocks, also inside containers and cards. */
export function findElements(blocks: readonly SlackObject[]): readonly FoundElement[] {
  return blocks.flatMap((block) => {
    const elements = [block.element, block.accessory, ...listOf(block.elements), ...listOf(block.actions)];
    const here = elements.flatMap((element) =>
      isObject(element) && typeof element.action_id === 'string' ? [{ block, element }] : [],
    );
    return [...here, ...findElements(listOf(block.child_blocks)), ...cardElements(block)];
  });
}

function cardElements(block: SlackObject): readonly FoundElement[] {
  return block.type === 'carousel' ? findElements(listOf(block.elements)) : [];
}

/** Initial values of inputs, in the format of `view.state.values`. */
export function initialState(blocks: readonly SlackObject[]): StateValues {
  const state: Record<string, Row> = {};
  for (const { block, element } of findElements(blocks)) {
    const names = valueMembers[String(element.type)];
    if (!names) continue;
    const [value, initial, empty] = names;
    const row = rowOf(state, String(block.block_id));
    row[String(element.action_id)] = {
      type: String(element.type),
      [value]: (element[initial] ?? (empty === 'list' ? [] : null)) as JsonObject[string] & string,
    };
  }
  return state;
}

/** After an update, a typed value stays if `block_id`, `action_id` and input type stay. */
function keepTypedState(blocks: readonly SlackObject[], typed: StateValues): StateValues {
  return mergeState(initialState(blocks), typed);
}

/** Replaces values by newer ones. Values without an input on the surface are dropped. */
export function mergeState(state: StateValues, newer: StateValues): StateValues {
  const merged: Record<string, Row> = {};
  for (const [blockId, row] of Object.entries(state)) {
    const newRow = rowOf(merged, blockId);
    for (const [actionId, value] of Object.entries(row)) {
      const other = newer[blockId]?.[actionId];
      newRow[actionId] = other?.type === value.type ? other : value;
    }
  }
  return merged;
}

function rowOf(state: Record<string, Row>, blockId: string): Row {
  const row = state[blockId] ?? {};
  state[blockId] = row;
  return row;
}

function listOf(value: unknown): readonly SlackObject[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is SlackObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
