import { type Check, flag, list, number, type Say, type Thing, text, thing } from './checks.js';
import {
  actionId,
  confirm,
  conversationFilter,
  initialIsOffered,
  optionGroup,
  placeholder,
  plainOption,
} from './composition.js';

const common = { action_id: actionId, placeholder, confirm, focus_on_load: flag };
const offered = {
  options: list(plainOption, { min: 1, max: 100 }),
  option_groups: list(optionGroup, { min: 1, max: 100 }),
};
const typeahead = { min_query_length: number({ whole: true, min: 0 }) };
const several = { max_selected_items: number({ whole: true, min: 1 }) };
const conversations = { default_to_current_conversation: flag, filter: conversationFilter };
const respondable = { response_url_enabled: flag };
const id = text();

/** What is chosen at first may not be more than may be chosen. */
function initialFits(initial: string) {
  return (menu: Thing, at: string, say: Say) => {
    const chosen = menu[initial];
    const most = menu.max_selected_items;
    if (Array.isArray(chosen) && typeof most === 'number' && chosen.length > most)
      say({ code: 'too_many', message: `no more than ${most} items allowed`, pointer: `${at}/${initial}` });
  };
}

/** The ten select menus, by type. */
export const selects: Readonly<Record<string, Check>> = {
  static_select: thing(
    { ...common, ...offered, initial_option: plainOption },
    { needsOneOf: ['options', 'option_groups'], also: initialIsOffered },
  ),
  multi_static_select: thing(
    { ...common, ...offered, ...several, initial_options: list(plainOption, { min: 1 }) },
    {
      needsOneOf: ['options', 'option_groups'],
      also: (menu, at, say) => {
        initialIsOffered(menu, at, say);
        initialFits('initial_options')(menu, at, say);
      },
    },
  ),
  external_select: thing({ ...common, ...typeahead, initial_option: plainOption }),
  multi_external_select: thing(
    { ...common, ...typeahead, ...several, initial_options: list(plainOption, { min: 1 }) },
    { also: initialFits('initial_options') },
  ),
  users_select: thing({ ...common, initial_user: id }),
  multi_users_select: thing(
    { ...common, ...several, initial_users: list(id) },
    { also: initialFits('initial_users') },
  ),
  conversations_select: thing({
    ...common,
    ...conversations,
    ...respondable,
    initial_conversation: id,
  }),
  multi_conversations_select: thing(
    { ...common, ...conversations, ...several, initial_conversations: list(id) },
    { also: initialFits('initial_conversations') },
  ),
  channels_select: thing({ ...common, ...respondable, initial_channel: id }),
  multi_channels_select: thing(
    { ...common, ...several, initial_channels: list(id) },
    { also: initialFits('initial_channels') },
  ),
};
