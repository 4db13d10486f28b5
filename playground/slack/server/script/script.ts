import { readFile } from 'node:fs/promises';
import type { ActionValue, JsonObject, StateValues, Surface } from '../page-protocol.js';
import { blocksOf, findSurface, requestOptionsAs, triggerElementAs } from '../people/block-actions.js';
import * as membership from '../people/commands.js';
import { runCommandAs } from '../people/commands.js';
import type { PeopleContext } from '../people/context.js';
import { postAs } from '../people/messages.js';
import { closeViewAs, submitViewAs } from '../people/modals.js';
import { openAppAs, runMessageShortcutAs, runShortcutAs } from '../people/shortcuts.js';
import type { Person, Post, RefusedPayload, View } from '../workspace/records.js';
import { changeUserGroup } from '../workspace/workspace.js';
import {
  findChannel,
  findElement,
  findPerson,
  findUserGroup,
  type SeenMessage,
  seenMessage,
  valueFor,
} from './find.js';

/** Selects a message: a predicate, or text that the message contains. */
type MessageMatcher = string | RegExp | ((message: SeenMessage) => boolean);

/** How tests use the workspace. A channel is `#learning`, an ID, or `@ada` for her direct message with the bot. */
export interface Script {
  /** Acts as a person, by handle or ID. */
  as(person: string): Actor;
  /** Resolves when the bot has this many Socket Mode connections. */
  waitForBot(connections?: number, timeoutMs?: number): Promise<void>;
  /** The first matching message of a channel, including older and ephemeral messages and replies. Rejects after the timeout. */
  waitForMessage(channel: string, wanted: MessageMatcher, timeoutMs?: number): Promise<SeenMessage>;
  /** Calls `look` after each change until it returns a value. Rejects after the timeout. */
  waitFor<Value>(look: () => Value | undefined | false, timeoutMs?: number, what?: string): Promise<Value>;
  /** Everything in a channel, oldest first, ephemeral messages included. */
  messages(channel: string): readonly SeenMessage[];
  /** The content of a file that the bot shared. */
  fileBytes(file: string): Promise<Buffer>;
  /** All posts of the bot, in order, including those whose answer was lost. */
  readonly posts: readonly Post[];
  /** Changes a user group, by handle or ID: its members, by handle, or whether it is disabled. */
  changeUserGroup(
    group: string,
    change: { readonly members?: readonly string[]; readonly isDisabled?: boolean },
  ): void;
  /** Resolves when no command, click or event is in flight to the bot. */
  settled(): Promise<void>;
  /** All refused payloads. */
  readonly refusals: readonly RefusedPayload[];
}

export type { SeenMessage, View };

const defaultTimeoutMs = 50_000;

export function createScript(context: PeopleContext, connections: () => number): Script {
  const { workspace } = context.api;
  const refusals: RefusedPayload[] = [];
  workspace.changes.subscribe((change) => {
    if (change.type === 'refused') refusals.push(change.refused);
  });

  const messages = (channel: string) =>
    [...(workspace.messages.get(findChannel(workspace, channel).id)?.values() ?? [])].map((one) =>
      seenMessage(workspace, one),
    );

  function waitFor<Value>(
    look: () => Value | undefined | false,
    timeoutMs = defaultTimeoutMs,
    what = 'what was waited for',
  ): Promise<Value> {
    return new Promise((resolve, reject) => {
      const stopListening = workspace.changes.subscribe(check);
      // Connections and files change without an emitted change.
      const poll = setInterval(check, 20);
      const timer = setTimeout(() => {
        cleanUp();
        reject(new Error(`Not within ${timeoutMs} ms: ${what}`));
      }, timeoutMs);
      check();

      function check() {
        const value = look();
        if (value === undefined || value === false) return;
        cleanUp();
        resolve(value);
      }
      function cleanUp() {
        clearTimeout(timer);
        clearInterval(poll);
        stopListening();
      }
    });
  }

  return {
    as: (name) => createActor(context, findPerson(workspace, name), waitFor),
    waitFor,
    messages,
    refusals,
    posts: workspace.posts,
    settled: () => context.delivery.settled(),
    changeUserGroup(name, { members, isDisabled }) {
      const users = members?.map((member) => findPerson(workspace, member).id);
      changeUserGroup(workspace, findUserGroup(workspace, name).id, { users, isDisabled });
    },
    async waitForBot(wanted = 1, timeoutMs = defaultTimeoutMs) {
      await waitFor(() => connections() >= wanted, timeoutMs, `${wanted} connections of the bot`);
    },
    async waitForMessage(channel, wanted, timeoutMs = defaultTimeoutMs) {
      const matches = typeof wanted === 'function' ? wanted : (message: SeenMessage) => message.says(wanted);
      try {
        return await waitFor(() => messages(channel).find(matches), timeoutMs);
      } catch {
        const there = messages(channel).map((message) => `- ${message.words.slice(0, 200)}`);
        throw new Error(
          `No such message in ${channel} within ${timeoutMs} ms. There are:\n${there.join('\n')}`,
        );
      }
    },
    async fileBytes(id) {
      const file = workspace.files.get(id);
      if (file?.state !== 'complete') throw new Error(`There is no file ${id}.`);
      return readFile(file.path);
    },
  };
}

/** The surface of an element: a message, the top modal or the Home tab. */
type ElementLocation = SeenMessage | 'modal' | 'home';

/** Actions of one person. An element is given by `action_id`, `block_id`, label or text. */
export interface Actor {
  readonly person: Person;
  /** Runs a slash command. Resolves after the acknowledgement or its timeout. */
  command(line: string, channel: string): Promise<void>;
  /** Posts a message; `@rollcall` becomes a mention. */
  message(text: string, channel: string, threadTs?: string): SeenMessage;
  /** Presses a button or another element without a value. */
  click(where: ElementLocation, element: string): Promise<void>;
  /**
   * Sets the value of an element and dispatches it to the bot. An option is given by value or
   * text, several as a list; dates and text are given as they are.
   */
  choose(where: ElementLocation, element: string, choice: string | readonly string[] | null): Promise<void>;
  /** Fills inputs of the top modal without submitting it. */
  fill(values: Readonly<Record<string, string | readonly string[] | null>>): void;
  /** Fills inputs and submits the top modal. Rejects if Slack's own validation fails. */
  submit(values?: Readonly<Record<string, string | readonly string[] | null>>): Promise<void>;
  /** Presses Cancel; with `all`, the X button, which closes all views. */
  close(all?: boolean): Promise<void>;
  /** The options, or groups of options, that a select shows for typed text. */
  options(where: ElementLocation, element: string, query: string): Promise<readonly JsonObject[]>;
  openHome(): void;
  openMessages(): void;
  shortcut(callbackId: string): Promise<void>;
  messageShortcut(callbackId: string, message: SeenMessage): Promise<void>;
  join(channel: string): void;
  cleanUp(channel: string): void;
  /** Invites a person, by default the bot. */
  invite(channel: string, handle?: string): void;
  remove(channel: string, handle?: string): void;
  archive(channel: string, archived?: boolean): void;
  share(channel: string, shared?: boolean): void;
  deleteChannel(channel: string): void;
  /** Changes the person's profile. */
  changeProfile(
    change: Partial<
      Pick<Person, 'zone' | 'email' | 'kind' | 'name' | 'title' | 'isEmailConfirmed' | 'isOwner'>
    >,
  ): void;
  /** Deactivates the person's account. */
  leaveWorkspace(): void;
  /** The top modal. */
  modal(): View | undefined;
  modals(): readonly View[];
  home(): View | undefined;
  /** Resolves with the top modal when it matches. */
  waitForModal(wanted?: (view: View) => boolean, timeoutMs?: number): Promise<View>;
  waitForHome(wanted?: (view: View) => boolean, timeoutMs?: number): Promise<View>;
}

function createActor(context: PeopleContext, person: Person, waitFor: Script['waitFor']): Actor {
  const { workspace, views } = context.api;
  const { id } = person;
  const channel = (name: string) => findChannel(workspace, name).id;
  const personOrBot = (handle?: string) =>
    handle === undefined ? workspace.seed.bot.user : findPerson(workspace, handle).id;

  function topModal(): View {
    const view = views.stackOf(id).at(-1);
    if (!view) throw new Error(`No modal is open for ${person.handle}.`);
    return view;
  }

  function surfaceOf(where: ElementLocation): Surface {
    if (where === 'modal') return { kind: 'view', view: topModal().id };
    if (where !== 'home') return { kind: 'message', channel: where.channel, ts: where.ts };
    const home = views.homeOf(id);
    if (!home) throw new Error(`The bot has published no Home tab for ${person.handle}.`);
    return { kind: 'view', view: home.id };
  }

  const find = (where: ElementLocation, name: string) =>
    findElement(blocksOf(findSurface(context, id, surfaceOf(where))), name);

  function useElement(where: ElementLocation, name: string, value: ActionValue) {
    const { block, element } = find(where, name);
    return triggerElementAs(context, id, {
      surface: surfaceOf(where),
      blockId: String(block.block_id),
      actionId: String(element.action_id),
      value,
    });
  }

  function stateWith(values: Readonly<Record<string, string | readonly string[] | null>>): StateValues {
    const state: Record<string, Record<string, JsonObject & { type: string }>> = {};
    for (const [name, choice] of Object.entries(values)) {
      const { block, element } = find('modal', name);
      state[String(block.block_id)] = {
        ...state[String(block.block_id)],
        [String(element.action_id)]: { type: String(element.type), ...valueFor(element, choice) },
      };
    }
    return state;
  }

  return {
    person,
    command: async (line, name) => runCommandAs(context, id, channel(name), line),
    message: (text, name, threadTs) =>
      seenMessage(workspace, postAs(context, id, channel(name), text, threadTs)),
    click: async (where, name) => useElement(where, name, {}),
    choose: async (where, name, choice) =>
      useElement(where, name, valueFor(find(where, name).element, choice)),
    fill(values) {
      const view = topModal();
      const typed = stateWith(values);
      view.state = Object.fromEntries(
        Object.entries(view.state).map(([block, row]) => [block, { ...row, ...typed[block] }]),
      );
      views.touch(view);
    },
    submit: async (values = {}) => submitViewAs(context, id, topModal().id, stateWith(values)),
    close: async (all = false) => closeViewAs(context, id, topModal().id, all),
    async options(where, name, query) {
      const { block, element } = find(where, name);
      const { options, optionGroups } = await requestOptionsAs(context, id, {
        surface: surfaceOf(where),
        blockId: String(block.block_id),
        actionId: String(element.action_id),
        query,
      });
      return options ?? optionGroups ?? [];
    },
    openHome: () => void openAppAs(context, id, 'home'),
    openMessages: () => void openAppAs(context, id, 'messages'),
    shortcut: (callbackId) => runShortcutAs(context, id, callbackId),
    messageShortcut: (callbackId, message) => runMessageShortcutAs(context, id, callbackId, message),
    join: (name) => membership.joinChannel(context, id, channel(name)),
    cleanUp: (name) => membership.leaveChannel(context, id, channel(name)),
    invite: (name, handle) => membership.inviteTo(context, id, channel(name), personOrBot(handle)),
    remove: (name, handle) => membership.removeFrom(context, id, channel(name), personOrBot(handle)),
    archive: (name, archived = true) => membership.archiveChannel(context, id, channel(name), archived),
    share: (name, shared = true) => membership.shareChannel(context, id, channel(name), shared),
    deleteChannel: (name) => membership.deleteChannel(context, id, channel(name)),
    changeProfile(change) {
      const changed = { ...(workspace.people.get(id) ?? person), ...change };
      workspace.people.set(id, changed);
      workspace.changes.emit({ type: 'person', person: changed });
    },
    leaveWorkspace: () => membership.leaveWorkspace(context, id),
    modal: () => views.stackOf(id).at(-1),
    modals: () => views.stackOf(id),
    home: () => views.homeOf(id),
    waitForModal: (wanted = () => true, timeoutMs) =>
      waitFor(() => views.stackOf(id).slice(-1).find(wanted), timeoutMs, `a modal for ${person.handle}`),
    waitForHome: (wanted = () => true, timeoutMs) =>
      waitFor(
        () => [views.homeOf(id)].find((view): view is View => view !== undefined && wanted(view)),
        timeoutMs,
        `a Home tab for ${person.handle}`,
      ),
  };
}
