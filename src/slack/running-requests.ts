import { Cancelled } from '../reporting-api/errors.js';
import { type Deadline, stopDeadline } from '../time/clock.js';
import { Stopping } from './delivery/post-message.js';

/** The requests that are running. Their askers can cancel them, and stopping the bot ends them. */
export interface RunningRequests {
  /** Returns the signal that ends the run. Undefined while the bot is stopping, when no run may begin. */
  begin(id: string, asker: string): AbortSignal | undefined;
  /** Marks a run as ended. `stop` waits for this. */
  end(id: string): void;
  /** Cancels a run, if this person requested it. */
  cancel(id: string, by: string): 'cancelled' | 'not-theirs' | 'not-running';
  /** Ends every run. Resolves when each has notified its asker, or at the deadline. */
  stop(deadline?: Deadline): Promise<void>;
}

export function runningRequests(): RunningRequests {
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
