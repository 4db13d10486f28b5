import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type {
  ActionValue,
  SlackBlock,
  StateValue,
  StateValues,
  Surface,
} from '../../server/page-protocol.js';
import { useConnection, useWorkspacePart } from '../connection/connection.js';
import { surfaceKey } from '../connection/workspace.js';
import { type OptionList, suggestedOptions, surfaceValues } from '../elements/element-state.js';
import { useAct } from '../parts/toasts.js';
import { pageBlocks } from './page-block.js';

interface SurfaceOfBlocksProps {
  surface: Surface;
  blocks: readonly SlackBlock[];
  state: StateValues;
  errors?: SurfaceControls['errors'];
  submit?: (() => void) | undefined;
  children: ReactNode;
}

const noErrors = {};
const nothingTyped: StateValues = {};

/** Joins blocks on a message or view to the server: what their inputs hold, and what a use of them does. */
export function SurfaceOfBlocks(props: SurfaceOfBlocksProps) {
  const { surface, blocks, state, errors = noErrors, submit, children } = props;
  const connection = useConnection();
  const act = useAct();
  const key = surfaceKey(surface);
  const typed = useWorkspacePart((workspace) => workspace.typed[key] ?? nothingTyped);
  const values = useMemo(() => surfaceValues(pageBlocks(blocks), state, typed), [blocks, state, typed]);
  const controls = useMemo<SurfaceControls>(() => {
    // Read at the moment of sending, so that a value kept just before is among them.
    const valuesNow = () =>
      surfaceValues(pageBlocks(blocks), state, connection.workspace()?.typed[key] ?? nothingTyped);
    return {
      values,
      errors,
      submit,
      keep: (blockId, actionId, value) => connection.keep(surface, blockId, actionId, value),
      act: async (blockId, actionId, value) => {
        await act({ type: 'action', surface, blockId, actionId, value, state: valuesNow() });
      },
      suggest: async (blockId, actionId, query) => {
        const asked = { surface, blockId, actionId, query, state: valuesNow() };
        const done = await connection.send({ type: 'options', ...asked });
        if (!done.ok) throw new Error(done.problem ?? 'No answer.');
        return suggestedOptions(done);
      },
    };
  }, [connection, act, surface, key, blocks, state, values, errors, submit]);
  return <SurfaceProvider value={controls}>{children}</SurfaceProvider>;
}

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

const SurfaceProvider = SurfaceContext.Provider;

export function useSurface(): SurfaceControls {
  const controls = useContext(SurfaceContext);
  if (!controls) throw new Error('Drawn outside of a SurfaceProvider.');
  return controls;
}
