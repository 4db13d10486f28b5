import type { ConfirmationDialog } from '@slack/types';
import { useState } from 'react';
import type { Json, StateValue } from '../../server/page-protocol.js';
import { useSurface } from '../blocks/surface.js';
import { useConfirm } from '../modal/confirm.js';

/** The block of an element, and its accessible names. */
export interface ElementContext {
  readonly blockId: string;
  /** True if each change is dispatched to the bot; false if values are sent on submit. */
  readonly dispatches: boolean;
  /** ID of the `<label>`, in an input block. */
  readonly labelId?: string;
  /** ID for the control, in an input block. */
  readonly controlId?: string;
  /** IDs of the hint and the error. */
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean;
  /** True if the choice can be cleared. */
  readonly optional?: boolean;
}

interface InteractiveElement {
  type: string;
  action_id?: string;
  confirm?: ConfirmationDialog;
}

export interface ElementControls {
  readonly state: StateValue | undefined;
  /** True while an action is sent. */
  readonly busy: boolean;
  /** Sets the value, and dispatches it if the context says so. Asks for confirmation first if the element requires it. */
  change(members: Record<string, Json>): Promise<void>;
  /** Sets the value without dispatching it. */
  setValue(members: Record<string, Json>): void;
  /** Dispatches an action without setting a value. */
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

/** ARIA attributes for a control's name, hint and error. `name` is for controls without a label. */
export function ariaProps(context: ElementContext, name: string) {
  return {
    'aria-labelledby': context.labelId,
    'aria-label': context.labelId ? undefined : name,
    id: context.controlId,
    'aria-describedby': context.describedBy,
    'aria-invalid': context.invalid || undefined,
  };
}
