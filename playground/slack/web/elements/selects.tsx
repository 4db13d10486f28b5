import type {
  ChannelsSelect,
  ConversationsSelect,
  ExternalSelect,
  MultiChannelsSelect,
  MultiConversationsSelect,
  MultiExternalSelect,
  MultiStaticSelect,
  MultiUsersSelect,
  Option,
  StaticSelect,
  UsersSelect,
} from '@slack/types';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { PageChannel, PageUser } from '../../server/page-protocol.js';
import { useSurface } from '../blocks/surface.js';
import { type Directory, useDirectory } from '../connection/connection.js';
import { isSelectable } from '../connection/workspace.js';
import { Combobox } from './combobox.js';
import {
  asJson,
  type Choice,
  choiceGroups,
  noOptions,
  type OptionList,
  optionChoice,
  optionList,
} from './element-state.js';
import { type ElementContext, useElement } from './use-element.js';

export function StaticSelectElement({
  element,
  context,
}: {
  element: StaticSelect;
  context: ElementContext;
}) {
  const { state, change } = useElement(element, context);
  const groups = useMemo(() => choiceGroups(optionList(element.options, element.option_groups)), [element]);
  const option = state?.selected_option as unknown as Option | null | undefined;
  return (
    <Combobox
      context={context}
      placeholder={element.placeholder?.text ?? 'Select an option'}
      groups={groups}
      chosen={option ? [optionChoice(option)] : []}
      autoFocus={element.focus_on_load}
      change={([choice]) => void change({ selected_option: choice ? asJson(choice.option) : null })}
    />
  );
}

export function MultiStaticSelectElement({
  element,
  context,
}: {
  element: MultiStaticSelect;
  context: ElementContext;
}) {
  const { state, change } = useElement(element, context);
  const groups = useMemo(() => choiceGroups(optionList(element.options, element.option_groups)), [element]);
  const options = (state?.selected_options ?? []) as unknown as Option[];
  return (
    <Combobox
      multiple
      context={context}
      placeholder={element.placeholder?.text ?? 'Select options'}
      groups={groups}
      chosen={options.map(optionChoice)}
      maxItems={element.max_selected_items}
      autoFocus={element.focus_on_load}
      change={(chosen) => void change({ selected_options: chosen.map((choice) => asJson(choice.option)) })}
    />
  );
}

const defaultMinQueryLength = 3;

export function ExternalSelectElement({
  element,
  context,
}: {
  element: ExternalSelect;
  context: ElementContext;
}) {
  const { state, change } = useElement(element, context);
  const { groups, note, search } = useExternalOptions(element, context);
  const option = state?.selected_option as unknown as Option | null | undefined;
  return (
    <Combobox
      context={context}
      placeholder={element.placeholder?.text ?? 'Search'}
      groups={groups}
      search={search}
      note={note}
      chosen={option ? [optionChoice(option)] : []}
      autoFocus={element.focus_on_load}
      change={([choice]) => void change({ selected_option: choice ? asJson(choice.option) : null })}
    />
  );
}

export function MultiExternalSelectElement(props: { element: MultiExternalSelect; context: ElementContext }) {
  const { element, context } = props;
  const { state, change } = useElement(element, context);
  const { groups, note, search } = useExternalOptions(element, context);
  const options = (state?.selected_options ?? []) as unknown as Option[];
  return (
    <Combobox
      multiple
      context={context}
      placeholder={element.placeholder?.text ?? 'Search'}
      groups={groups}
      search={search}
      note={note}
      chosen={options.map(optionChoice)}
      maxItems={element.max_selected_items}
      autoFocus={element.focus_on_load}
      change={(chosen) => void change({ selected_options: chosen.map((choice) => asJson(choice.option)) })}
    />
  );
}

function useExternalOptions(element: ExternalSelect | MultiExternalSelect, context: ElementContext) {
  const minQueryLength = element.min_query_length ?? defaultMinQueryLength;
  const { list, note, search } = useSuggestions(context.blockId, element.action_id ?? '', minQueryLength);
  const groups = useMemo(() => choiceGroups(list), [list]);
  return { groups, note, search };
}

/** `users_select` and `multi_users_select`. */
export function PeopleSelectElement(props: {
  element: UsersSelect | MultiUsersSelect;
  context: ElementContext;
}) {
  const { element, context } = props;
  const { users } = useDirectory();
  const { state, change } = useElement(element, context);
  const multiple = element.type === 'multi_users_select';
  const ids = (multiple ? state?.selected_users : [state?.selected_user]) as
    | (string | null | undefined)[]
    | undefined;
  const chosen = (ids ?? []).flatMap((id) => (id ? [personChoice(users.get(id), id)] : []));
  return (
    <Combobox
      multiple={multiple}
      context={context}
      placeholder={element.placeholder?.text ?? (multiple ? 'Select people' : 'Select a person')}
      groups={[
        {
          label: undefined,
          choices: [...users.values()].filter(isSelectable).map((user) => personChoice(user, user.id)),
        },
      ]}
      chosen={chosen}
      maxItems={element.type === 'multi_users_select' ? element.max_selected_items : undefined}
      autoFocus={element.focus_on_load}
      change={(picked) =>
        void change(
          multiple
            ? { selected_users: picked.map(({ id }) => id) }
            : { selected_user: picked[0]?.id ?? null },
        )
      }
    />
  );
}

function personChoice(user: PageUser | undefined, id: string): Choice {
  return { id, label: user?.name ?? id, description: user?.title || undefined };
}

type Conversations = ConversationsSelect | MultiConversationsSelect;
type Element = Conversations | ChannelsSelect | MultiChannelsSelect;

const member = {
  channels_select: 'selected_channel',
  multi_channels_select: 'selected_channels',
  conversations_select: 'selected_conversation',
  multi_conversations_select: 'selected_conversations',
} as const;

/** The four selects of channels and conversations. The `channels` selects have public channels only. */
export function ConversationSelectElement({
  element,
  context,
}: {
  element: Element;
  context: ElementContext;
}) {
  const directory = useDirectory();
  const { state, change } = useElement(element, context);
  const value = state?.[member[element.type]] as string | null | string[] | undefined;
  const ids = [value ?? []].flat().filter((id) => id !== '');
  const multiple = 'max_selected_items' in element || element.type.startsWith('multi_');
  return (
    <Combobox
      multiple={multiple}
      context={context}
      placeholder={element.placeholder?.text ?? (multiple ? 'Select channels' : 'Select a channel')}
      groups={[{ label: undefined, choices: selectableChannels(element, directory).map(conversationChoice) }]}
      chosen={ids.map((id) => {
        const channel = directory.channels.get(id);
        return channel ? conversationChoice(channel) : { id, label: 'a private channel' };
      })}
      maxItems={'max_selected_items' in element ? element.max_selected_items : undefined}
      autoFocus={element.focus_on_load}
      change={(picked) =>
        void change({
          [member[element.type]]: multiple ? picked.map(({ id }) => id) : (picked[0]?.id ?? null),
        })
      }
    />
  );
}

function selectableChannels(element: Element, { channels, users }: Directory): PageChannel[] {
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

function conversationChoice(channel: PageChannel): Choice {
  const isRoom = channel.kind === 'public' || channel.kind === 'private';
  const sharedNote = channel.shared ? 'shared' : undefined;
  return {
    id: channel.id,
    label: isRoom ? `# ${channel.name}` : channel.name,
    description: channel.kind === 'private' ? 'private' : sharedNote,
  };
}

/** The bot's options for typed text. */
interface Suggestions {
  readonly list: OptionList;
  /** A note in the list while it has no options. */
  readonly note: string | undefined;
  search(query: string): void;
}

/** Milliseconds without typing before options are requested. */
const searchDelayMs = 200;

function useSuggestions(blockId: string, actionId: string, minQueryLength: number): Suggestions {
  const surface = useSurface();
  const [list, setList] = useState<OptionList>(noOptions);
  const [note, setNote] = useState<string>();
  const latest = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function search(query: string) {
    clearTimeout(timer.current);
    latest.current += 1;
    const requestNumber = latest.current;
    if (query.length < minQueryLength) {
      setList(noOptions);
      setNote(`Type ${minQueryLength === 1 ? 'a letter' : `${minQueryLength} letters`} or more.`);
      return;
    }
    setNote('Looking…');
    timer.current = setTimeout(
      async () => {
        const found = await surface.suggest(blockId, actionId, query).catch(() => undefined);
        if (requestNumber !== latest.current) return;
        setList(found ?? noOptions);
        setNote(found ? undefined : 'The bot did not answer. Try again.');
      },
      query === '' ? 0 : searchDelayMs,
    );
  }
  return { list, note, search };
}
