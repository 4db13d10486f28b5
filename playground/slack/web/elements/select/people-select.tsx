import type { MultiUsersSelect, UsersSelect } from '@slack/types';
import type { PageUser } from '../../../server/page-protocol.js';
import { isSomebody, useDirectory } from '../../text/directory.js';
import { type ElementPlace, useElement } from '../use-element.js';
import type { Choice } from './choice.js';
import { Combobox } from './combobox.js';

/** `users_select` and `multi_users_select`. */
export function PeopleSelectElement(props: { element: UsersSelect | MultiUsersSelect; place: ElementPlace }) {
  const { element, place } = props;
  const { users } = useDirectory();
  const { state, change } = useElement(element, place);
  const multiple = element.type === 'multi_users_select';
  const ids = (multiple ? state?.selected_users : [state?.selected_user]) as
    | (string | null | undefined)[]
    | undefined;
  const chosen = (ids ?? []).flatMap((id) => (id ? [personChoice(users.get(id), id)] : []));
  return (
    <Combobox
      multiple={multiple}
      place={place}
      placeholder={element.placeholder?.text ?? (multiple ? 'Select people' : 'Select a person')}
      groups={[
        {
          label: undefined,
          choices: [...users.values()].filter(isSomebody).map((user) => personChoice(user, user.id)),
        },
      ]}
      chosen={chosen}
      most={element.type === 'multi_users_select' ? element.max_selected_items : undefined}
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

export function personChoice(user: PageUser | undefined, id: string): Choice {
  return { id, words: user?.name ?? id, description: user?.title || undefined };
}
