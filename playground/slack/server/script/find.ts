import type { ActionValue, JsonObject } from '../page-protocol.js';
import type { Channel, Message, Person, SlackObject, StoredFile, UserGroup } from '../workspace/records.js';
import { type FoundElement, findElements, valueMemberOf } from '../workspace/views.js';
import { directMessage, type Workspace } from '../workspace/workspace.js';

/** A person by handle or ID. */
export function findPerson(workspace: Workspace, name: string): Person {
  const found = [...workspace.people.values()].find((one) => one.id === name || one.handle === name);
  if (!found) throw new Error(`There is no person ${name}.`);
  return found;
}

/** A user group by handle or ID. */
export function findUserGroup(workspace: Workspace, name: string): UserGroup {
  const found = [...workspace.userGroups.values()].find((one) => one.id === name || one.handle === name);
  if (!found) throw new Error(`There is no user group ${name}.`);
  return found;
}

/** A channel by `#name` or ID. `@handle` is that person's direct message with the bot. */
export function findChannel(workspace: Workspace, name: string): Channel {
  if (name.startsWith('@'))
    return directMessage(workspace, findPerson(workspace, name.slice(1)).id, workspace.seed.bot.user);
  const found = [...workspace.channels.values()].find(
    (one) => one.id === name || (name.startsWith('#') && one.name === name.slice(1)),
  );
  if (!found) throw new Error(`There is no channel ${name}.`);
  return found;
}

/** A message, for tests. */
export interface SeenMessage {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly text: string;
  readonly blocks: readonly SlackObject[];
  readonly threadTs?: string;
  /** Slack's subtype, on system messages only. */
  readonly notice?: string;
  /** Present on an ephemeral message. */
  readonly visibleTo?: string;
  readonly edited: boolean;
  readonly files: readonly StoredFile[];
  /** All readable text: the message text and the text of its blocks. */
  readonly words: string;
  /** True if `words` contains the text. */
  says(text: string | RegExp): boolean;
}

export function seenMessage(workspace: Workspace, message: Message): SeenMessage {
  let words: string | undefined;
  const readWords = () => {
    words ??= [message.text, ...wordsIn(message.blocks)].join('\n');
    return words;
  };
  return {
    channel: message.channel,
    ts: message.ts,
    user: message.user,
    text: message.text,
    blocks: message.blocks,
    edited: message.edited !== undefined,
    files: message.files.flatMap((id) => {
      const file = workspace.files.get(id);
      return file ? [file] : [];
    }),
    get words() {
      return readWords();
    },
    says: (text) => (typeof text === 'string' ? readWords().includes(text) : text.test(readWords())),
    threadTs: message.threadTs,
    notice: message.notice,
    visibleTo: message.visibleTo,
  };
}

const readableMembers = new Set(['text', 'title', 'caption', 'label', 'name', 'subtitle']);

/** The texts of blocks, in order. A section of rich text counts as one text. */
export function wordsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (typeof value !== 'object' || value === null) return [];
  if ('type' in value && value.type === 'rich_text_section' && 'elements' in value) {
    return [wordsIn(value.elements).join('')];
  }
  if ('type' in value && value.type === 'user' && 'user_id' in value) return [`<@${value.user_id}>`];
  if ('type' in value && value.type === 'channel' && 'channel_id' in value) return [`<#${value.channel_id}>`];
  return Object.entries(value).flatMap(([member, inside]) => {
    if (typeof inside !== 'string') return wordsIn(inside);
    return readableMembers.has(member) ? [inside] : [];
  });
}

/** An element by `action_id`, `block_id`, its text or the label of its input. */
export function findElement(blocks: readonly SlackObject[], name: string): FoundElement {
  const all = findElements(blocks);
  const found =
    all.find(({ element }) => element.action_id === name) ??
    all.find(({ element }) => textOf(element.text) === name) ??
    all.find(({ block }) => block.block_id === name || textOf(block.label) === name);
  if (found) return found;
  const there = all.map(({ element }) => `${textOf(element.text) ?? ''} (${element.action_id})`.trim());
  throw new Error(`There is no element "${name}". There are: ${there.join(', ')}`);
}

/** The value of an element in payloads. */
export function valueFor(element: SlackObject, choice: string | readonly string[] | null): ActionValue {
  const type = String(element.type);
  const name = type === 'overflow' ? 'selected_option' : valueMemberOf(type);
  if (!name) return choice === null ? {} : { value: choice };
  if (name === 'selected_date_time') return { [name]: choice === null ? null : Number(choice) };
  if (name === 'selected_option') return { [name]: choice === null ? null : option(element, String(choice)) };
  if (name === 'selected_options')
    return { [name]: (choice === null ? [] : [choice].flat()).map((one) => option(element, String(one))) };
  return { [name]: choice };
}

/** An option by value or text. External selects accept any option. */
function option(element: SlackObject, wanted: string): JsonObject {
  const groups = Array.isArray(element.option_groups) ? element.option_groups : [];
  const offered: SlackObject[] = [
    ...(Array.isArray(element.options) ? element.options : []),
    ...groups.flatMap((group: SlackObject) => (Array.isArray(group.options) ? group.options : [])),
  ];
  const found =
    offered.find((one) => one.value === wanted) ?? offered.find((one) => textOf(one.text) === wanted);
  if (found) return found as JsonObject;
  if (offered.length === 0) return { text: { type: 'plain_text', text: wanted, emoji: true }, value: wanted };
  throw new Error(`"${wanted}" is not offered. Offered are: ${offered.map((one) => one.value).join(', ')}`);
}

function textOf(object: unknown): string | undefined {
  if (typeof object !== 'object' || object === null || !('text' in object)) return undefined;
  return String(object.text);
}
