import type { ConfirmationDialog } from '@slack/types';
import { useState } from 'react';
import type { Json, StateValue } from '../../server/page-protocol.js';
import { useSurface } from '../blocks/surface.js';
import { useConfirm } from '../modal/confirm.js';

/** Where an element stands, and how it is named. */
export interface ElementContext {
  readonly blockId: string;
  /** True: the bot hears of each change; false: of the whole form, on submit. */
  readonly dispatches: boolean;
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

interface InteractiveElement {
  type: string;
  action_id?: string;
  confirm?: ConfirmationDialog;
}

export interface ElementControls {
  readonly state: StateValue | undefined;
  /** The bot is being told. */
  readonly busy: boolean;
  /** Keeps the new value, and tells the bot where the place says so, after the element's own question if it has one. */
  change(members: Record<string, Json>): Promise<void>;
  /** Keeps the new value only. */
  setValue(members: Record<string, Json>): void;
  /** Tells the bot, without keeping anything. */
  dispatch(members: Record<string, Json>): Promise<void>;
}

export function useElement(element: InteractiveElement, context: ElementContext): ElementControls {
  const surface = useSurface();
  const confirm = useConfirm();
  const [busy, setBusy] = useState(false);
  const actionId = element.action_id ?? '';

  async function dispatch(members: Record<string, Json>) {
    setBusy(true);
    try {
      await surface.dispatch(context.blockId, actionId, members);
    } finally {
      setBusy(false);
    }
  }
  function setValue(members: Record<string, Json>) {
    surface.setValue(context.blockId, actionId, { type: element.type, ...members });
  }
  return {
    state: surface.values[context.blockId]?.[actionId],
    busy,
    setValue,
    dispatch: async (members) => {
      if (!element.confirm || (await confirm(element.confirm))) await dispatch(members);
    },
    change: async (members) => {
      if (context.dispatches && element.confirm && !(await confirm(element.confirm))) return;
      setValue(members);
      if (context.dispatches) await dispatch(members);
    },
  };
}

/** How assistive technology finds a control's name, hint and error. `name` is for places without a label. */
export function ariaProps(context: ElementContext, name: string) {
  return {
    ...(context.labelId ? { 'aria-labelledby': context.labelId } : { 'aria-label': name }),
    ...(context.controlId ? { id: context.controlId } : {}),
    ...(context.describedBy ? { 'aria-describedby': context.describedBy } : {}),
    ...(context.invalid ? { 'aria-invalid': true as const } : {}),
  };
}
