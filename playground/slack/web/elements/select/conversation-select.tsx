import type {
  ChannelsSelect,
  ConversationsSelect,
  MultiChannelsSelect,
  MultiConversationsSelect,
} from '@slack/types';
import type { PageChannel } from '../../../server/page-protocol.js';
import { type Directory, useDirectory } from '../../text/directory.js';
import { type ElementPlace, useElement } from '../use-element.js';
import type { Choice } from './choice.js';
import { Combobox } from './combobox.js';

type Conversations = ConversationsSelect | MultiConversationsSelect;
type Element = Conversations | ChannelsSelect | MultiChannelsSelect;

const member = {
  channels_select: 'selected_channel',
  multi_channels_select: 'selected_channels',
  conversations_select: 'selected_conversation',
  multi_conversations_select: 'selected_conversations',
} as const;

/** The four selects of channels and of conversations. The `channels` ones offer public channels only. */
export function ConversationSelectElement({ element, place }: { element: Element; place: ElementPlace }) {
  const directory = useDirectory();
  const { state, change } = useElement(element, place);
  const held = state?.[member[element.type]] as string | null | string[] | undefined;
  const ids = Array.isArray(held) ? held : held ? [held] : [];
  const multiple = 'max_selected_items' in element || element.type.startsWith('multi_');
  return (
    <Combobox
      multiple={multiple}
      place={place}
      placeholder={element.placeholder?.text ?? (multiple ? 'Select channels' : 'Select a channel')}
      groups={[{ label: undefined, choices: offered(element, directory).map(conversationChoice) }]}
      chosen={ids.map((id) => {
        const channel = directory.channels.get(id);
        return channel ? conversationChoice(channel) : { id, words: 'a private channel' };
      })}
      most={'max_selected_items' in element ? element.max_selected_items : undefined}
      autoFocus={element.focus_on_load}
      change={(picked) =>
        void change({
          [member[element.type]]: multiple ? picked.map(({ id }) => id) : (picked[0]?.id ?? null),
        })
      }
    />
  );
}

function offered(element: Element, { channels, users }: Directory): PageChannel[] {
  const open = [...channels.values()].filter((channel) => !channel.archived);
  if (element.type === 'channels_select' || element.type === 'multi_channels_select') {
    return open.filter((channel) => channel.kind === 'public');
  }
  const { include, exclude_external_shared_channels, exclude_bot_users } = element.filter ?? {};
  return open
    .filter((channel) => !include || include.includes(channel.kind))
    .filter((channel) => !exclude_external_shared_channels || !channel.shared)
    .filter((channel) => !exclude_bot_users || !isWithBot(channel, users));
}

function isWithBot(channel: PageChannel, users: Directory['users']): boolean {
  return channel.kind === 'im' && channel.members.some((id) => users.get(id)?.kind === 'bot');
}

export function conversationChoice(channel: PageChannel): Choice {
  const isRoom = channel.kind === 'public' || channel.kind === 'private';
  return {
    id: channel.id,
    words: isRoom ? `# ${channel.name}` : channel.name,
    description: channel.kind === 'private' ? 'private' : channel.shared ? 'shared' : undefined,
  };
}
