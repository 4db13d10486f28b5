import type { ConfirmationDialog } from '@slack/types';
import { useState } from 'react';
import type { Json, StateValue } from '../../server/page-protocol.js';
import { useSurface } from '../blocks/surface.js';
import { useConfirm } from '../modal/confirm.js';

/** Where an element stands, and how it is named. */
export interface ElementPlace {
  readonly blockId: string;
  /** True: the bot hears of each change; false: of the whole form, on submit. */
  readonly tells: boolean;
  /** Of the `<label>`, in an input block. */
  readonly labelId?: string;
  /** Id for the control, in an input block. */
  readonly controlId?: string;
  /** Of the hint and the error. */
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean;
  /** True: the choice can be taken back. */
  readonly optional?: boolean;
}

interface Usable {
  type: string;
  action_id?: string;
  confirm?: ConfirmationDialog;
}

export interface UsedElement {
  readonly state: StateValue | undefined;
  /** The bot is being told. */
  readonly busy: boolean;
  /** Keeps the new value, and tells the bot where the place says so, after the element's own question if it has one. */
  change(members: Record<string, Json>): Promise<void>;
  /** Keeps the new value only. */
  keep(members: Record<string, Json>): void;
  /** Tells the bot, without keeping anything. */
  tell(members: Record<string, Json>): Promise<void>;
}

export function useElement(element: Usable, place: ElementPlace): UsedElement {
  const surface = useSurface();
  const confirm = useConfirm();
  const [busy, setBusy] = useState(false);
  const actionId = element.action_id ?? '';

  async function tell(members: Record<string, Json>) {
    setBusy(true);
    try {
      await surface.act(place.blockId, actionId, members);
    } finally {
      setBusy(false);
    }
  }
  function keep(members: Record<string, Json>) {
    surface.keep(place.blockId, actionId, { type: element.type, ...members });
  }
  return {
    state: surface.values[place.blockId]?.[actionId],
    busy,
    keep,
    tell: async (members) => {
      if (!element.confirm || (await confirm(element.confirm))) await tell(members);
    },
    change: async (members) => {
      if (place.tells && element.confirm && !(await confirm(element.confirm))) return;
      keep(members);
      if (place.tells) await tell(members);
    },
  };
}

/** How assistive technology finds a control's name, hint and error. `name` is for places without a label. */
export function namesOf(place: ElementPlace, name: string) {
  return {
    ...(place.labelId ? { 'aria-labelledby': place.labelId } : { 'aria-label': name }),
    ...(place.controlId ? { id: place.controlId } : {}),
    ...(place.describedBy ? { 'aria-describedby': place.describedBy } : {}),
    ...(place.invalid ? { 'aria-invalid': true as const } : {}),
  };
}
