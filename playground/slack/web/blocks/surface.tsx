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
import { useRunAction } from '../parts/toasts.js';
import { pageBlocks } from './page-block.js';

interface BlockSurfaceProps {
  surface: Surface;
  blocks: readonly SlackBlock[];
  state: StateValues;
  errors?: SurfaceControls['errors'];
  submit?: (() => void) | undefined;
  children: ReactNode;
}

const noErrors = {};
const emptyState: StateValues = {};

/** Connects blocks on a message or view to the server: their input values and their actions. */
export function BlockSurface(props: BlockSurfaceProps) {
  const { surface, blocks, state, errors = noErrors, submit, children } = props;
  const connection = useConnection();
  const runAction = useRunAction();
  const key = surfaceKey(surface);
  const typed = useWorkspacePart((workspace) => workspace.typed[key] ?? emptyState);
  const values = useMemo(() => surfaceValues(pageBlocks(blocks), state, typed), [blocks, state, typed]);
  const controls = useMemo<SurfaceControls>(() => {
    // Read when sending, so that a value set just before is included.
    const currentValues = () =>
      surfaceValues(pageBlocks(blocks), state, connection.workspace()?.typed[key] ?? emptyState);
    return {
      values,
      errors,
      submit,
      setValue: (blockId, actionId, value) => connection.setTypedValue(surface, blockId, actionId, value),
      dispatch: async (blockId, actionId, value) => {
        await runAction({ type: 'action', surface, blockId, actionId, value, state: currentValues() });
      },
      suggest: async (blockId, actionId, query) => {
        const request = { surface, blockId, actionId, query, state: currentValues() };
        const result = await connection.send({ type: 'options', ...request });
        if (!result.ok) throw new Error(result.problem ?? 'No answer.');
        return suggestedOptions(result);
      },
    };
  }, [connection, runAction, surface, key, blocks, state, values, errors, submit]);
  return <SurfaceProvider value={controls}>{children}</SurfaceProvider>;
}

/** The message, modal or Home tab of blocks: input values and actions. */
export interface SurfaceControls {
  readonly values: StateValues;
  /** Error messages of inputs, by `block_id`. */
  readonly errors: Readonly<Record<string, string>>;
  /** Sets a value on the page, without dispatching it. */
  setValue(blockId: string, actionId: string, value: StateValue): void;
  /** Dispatches an action to the bot. */
  dispatch(blockId: string, actionId: string, value: ActionValue): Promise<void>;
  /** Gets the bot's options for typed text. */
  suggest(blockId: string, actionId: string, query: string): Promise<OptionList>;
  /** Submits the modal; absent on other surfaces. */
  readonly submit?: (() => void) | undefined;
}

const SurfaceContext = createContext<SurfaceControls | undefined>(undefined);

export const SurfaceProvider = SurfaceContext.Provider;

export function useSurface(): SurfaceControls {
  const controls = useContext(SurfaceContext);
  if (!controls) throw new Error('Rendered outside of a SurfaceProvider.');
  return controls;
}
