import { Cancelled } from '../reporting-api/errors.js';
import { type Deadline, stopDeadline } from '../time/deadline.js';
import { Stopping } from './delivery/errors.js';

/** What is being run right now, so that it can be cancelled by its asker and ended when the bot stops. */
export interface RunningAsks {
  /** Gives the signal that ends the run. False: the bot is stopping, and nothing new may begin. */
  begin(id: string, asker: string): AbortSignal | undefined;
  /** The run is over; `done` is what `stop` waits for. */
  end(id: string): void;
  /** Ends a run if this person asked for it. */
  cancel(id: string, by: string): 'cancelled' | 'not-theirs' | 'not-running';
  /** Ends every run. Resolves when each has told its asker, or at the deadline. */
  stop(deadline?: Deadline): Promise<void>;
}

export function runningAsks(): RunningAsks {
  const runs = new Map<string, { readonly asker: string; readonly controller: AbortController }>();
  let stopping = false;
  let allEnded = () => {};

  return {
    begin(id, asker) {
      if (stopping) return undefined;
      const controller = new AbortController();
      runs.set(id, { asker, controller });
      return controller.signal;
    },
    end(id) {
      runs.delete(id);
      if (runs.size === 0) allEnded();
    },
    cancel(id, by) {
      const run = runs.get(id);
      if (!run) return 'not-running';
      if (run.asker !== by) return 'not-theirs';
      run.controller.abort(new Cancelled());
      return 'cancelled';
    },
    async stop(deadline = stopDeadline()) {
      stopping = true;
      if (runs.size === 0) return;
      const ended = new Promise<void>((resolve) => {
        allEnded = resolve;
      });
      for (const { controller } of runs.values()) controller.abort(new Stopping());
      await deadline.waitFor(ended);
    },
  };
}
