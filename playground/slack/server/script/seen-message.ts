import type { Message, StoredFile, Thing } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';

/** A message as a test looks at it. */
export interface SeenMessage {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly text: string;
  readonly blocks: readonly Thing[];
  readonly threadTs?: string;
  readonly notice?: string;
  /** Present on an ephemeral message. */
  readonly visibleTo?: string;
  readonly edited: boolean;
  readonly files: readonly StoredFile[];
  /** Everything that can be read on it: its text, and that of its blocks. */
  readonly words: string;
  /** True when it says that anywhere. */
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
    ...(message.threadTs && { threadTs: message.threadTs }),
    ...(message.notice && { notice: message.notice }),
    ...(message.visibleTo && { visibleTo: message.visibleTo }),
  };
}

const read = new Set(['text', 'title', 'caption', 'label', 'name', 'subtitle']);

/** The texts of blocks, in order; what stands in one line of rich text is one of them. */
export function wordsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (typeof value !== 'object' || value === null) return [];
  if ('type' in value && value.type === 'rich_text_section' && 'elements' in value) {
    return [wordsIn(value.elements).join('')];
  }
  if ('type' in value && value.type === 'user' && 'user_id' in value) return [`<@${value.user_id}>`];
  if ('type' in value && value.type === 'channel' && 'channel_id' in value) return [`<#${value.channel_id}>`];
  return Object.entries(value).flatMap(([member, inside]) =>
    typeof inside === 'string' ? (read.has(member) ? [inside] : []) : wordsIn(inside),
  );
}
