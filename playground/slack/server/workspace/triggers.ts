import { randomBytes } from 'node:crypto';

/** Why a trigger opens nothing. */
export type TriggerProblem = 'invalid_trigger_id' | 'trigger_expired' | 'trigger_exchanged';

/** Leave to open a view, given with each interaction: 3 seconds of real time, one use. */
export interface Triggers {
  issue(user: string, fromView?: string): string;
  /** Uses the trigger up, or says why it cannot be used. */
  exchange(trigger: string): { readonly user: string; readonly fromView?: string } | TriggerProblem;
}

interface Issued {
  readonly user: string;
  readonly fromView?: string;
  readonly at: number;
  used: boolean;
}

export function createTriggers(lifeMs: number, realNow: () => number = Date.now): Triggers {
  const issued = new Map<string, Issued>();
  let count = 0;
  return {
    issue(user, fromView) {
      count += 1;
      const trigger = `${realNow()}.${count}.${randomBytes(16).toString('hex')}`;
      issued.set(trigger, { user, at: realNow(), used: false, ...(fromView && { fromView }) });
      return trigger;
    },
    exchange(trigger) {
      const found = issued.get(trigger);
      if (!found) return 'invalid_trigger_id';
      if (found.used) return 'trigger_exchanged';
      if (realNow() - found.at > lifeMs) return 'trigger_expired';
      found.used = true;
      return { user: found.user, ...(found.fromView && { fromView: found.fromView }) };
    },
  };
}
