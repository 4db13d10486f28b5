import { createContext, useContext } from 'react';
import type { ActionValue, StateValue, StateValues } from '../../server/page-protocol.js';
import type { OptionList } from '../elements/option-list.js';

/** The message, modal or Home tab that blocks stand on: what its inputs hold, and what using them does. */
export interface SurfaceControls {
  readonly values: StateValues;
  /** Sentences under inputs, by `block_id`. */
  readonly errors: Readonly<Record<string, string>>;
  /** Keeps what was typed or chosen, without telling anybody. */
  keep(blockId: string, actionId: string, value: StateValue): void;
  /** Tells the bot that an element was used. */
  act(blockId: string, actionId: string, value: ActionValue): Promise<void>;
  /** Asks the bot what a select offers for the typed text. */
  suggest(blockId: string, actionId: string, query: string): Promise<OptionList>;
  /** Enter in a single-line input of a modal; absent elsewhere. */
  readonly submit?: (() => void) | undefined;
}

const SurfaceContext = createContext<SurfaceControls | undefined>(undefined);

export const SurfaceProvider = SurfaceContext.Provider;

export function useSurface(): SurfaceControls {
  const controls = useContext(SurfaceContext);
  if (!controls) throw new Error('Drawn outside of a SurfaceProvider.');
  return controls;
}
