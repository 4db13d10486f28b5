import { setTimeout as sleep } from 'node:timers/promises';
import type { LogOf } from '../logging/logger.js';
import { repeated } from '../time/clock.js';
import type { ToolReply } from './replies.js';

/** Where processes find the long questions of each other. */
export interface QuestionCalls {
  /** @param who who asks what */
  idOf(who: string): string;
  /** This process runs the question, and its client knows. */
  open(id: string): Promise<void>;
  /** @param process where it ran. Absent: here */
  close(id: string, process?: string): Promise<void>;
  /** Calls for the answer. Returns the other process where the question runs. */
  call(id: string, call: string): Promise<string | undefined>;
  /** Undefined once it no longer runs at that process. */
  find(id: string, process: string): Promise<{ readonly reply: string | undefined } | undefined>;
  hangUp(id: string, call: string): Promise<void>;
  /** The questions of this process, with the open calls for them. */
  calls(): Promise<ReadonlyMap<string, string | undefined>>;
  reply(id: string, call: string, reply: string): Promise<void>;
}

interface SharedQuestionsParts {
  readonly calls: QuestionCalls;
  readonly hasEnded: (process: string) => Promise<boolean>;
  readonly newId: () => string;
  readonly log: LogOf<'warn'>;
}

/** A question at this process. */
interface LocalQuestion {
  readonly key: string;
  /** True while it runs here, or its answer waits here. */
  readonly isHere: () => boolean;
  /** Answers one call for it: starts it where it is not here. */
  readonly answer: (hungUp: AbortSignal) => Promise<ToolReply>;
  /** The reply where its process does not say in time how far it is. */
  readonly late: ToolReply;
}

/** A question whose client knows that it runs here. */
interface OpenQuestion extends LocalQuestion {
  /** The call of another process that is being answered. */
  call?: { readonly id: string; readonly hungUp: AbortController };
  /** Monotonic. */
  endedAt?: number | undefined;
}

const usualLimits = {
  lookEveryMs: 500,
  /** The other process answers within 50 s, and says how far it is. The client waits 60 s. */
  replyWithinMs: 54_000,
  checkProcessEveryMs: 5_000,
  /** So long can other processes read the reply to a question that has ended. */
  keepReplyMs: 3_000,
};

/**
 * Lets a long question be asked again at any process: a call goes through the database to the process where the question
 * runs, which answers as if it had been asked itself. So a question runs once, and its rights are judged where it runs.
 */
export function shareQuestions(
  { calls, hasEnded, newId, log }: SharedQuestionsParts,
  { lookEveryMs, replyWithinMs, checkProcessEveryMs, keepReplyMs } = usualLimits,
) {
  const open = new Map<string, OpenQuestion>();
  const looking = repeated(lookAtCalls, (err) =>
    log.warn({ err }, 'Calls of other processes for answers of assistants could not be read'),
  );

  async function lookAtCalls() {
    if (open.size === 0) return;
    const found = await calls.calls();
    for (const [id, question] of open) {
      const called = found.get(id);
      const before = question.call;
      if (called !== before?.id) {
        question.call = called !== undefined && question.isHere() ? take(id, called, question) : undefined;
        // After the next one has begun, so that the question has a client.
        before?.hungUp.abort();
      }
      if (question.isHere() || question.call) {
        question.endedAt = undefined;
        continue;
      }
      question.endedAt ??= performance.now();
      const isOver = called !== undefined || performance.now() - question.endedAt > keepReplyMs;
      if (found.has(id) && !isOver) continue;
      open.delete(id);
      await calls.close(id);
    }
  }

  function take(id: string, call: string, { answer }: OpenQuestion) {
    const hungUp = new AbortController();
    answer(hungUp.signal)
      .then((reply) => (hungUp.signal.aborted ? undefined : calls.reply(id, call, JSON.stringify(reply))))
      .catch((err: unknown) => log.warn({ err }, 'An answer of an assistant could not be passed on'));
    return { id: call, hungUp };
  }

  /** Undefined where no other process runs it, or that one has ended. */
  async function askElsewhere(
    id: string,
    late: ToolReply,
    hungUp: AbortSignal,
  ): Promise<ToolReply | undefined> {
    const call = newId();
    const process = await calls.call(id, call);
    if (process === undefined) return undefined;
    const until = performance.now() + replyWithinMs;
    let checkAt = 0;
    while (performance.now() < until && !hungUp.aborted) {
      if (performance.now() >= checkAt) {
        if (await hasEnded(process)) {
          await calls.close(id, process);
          return undefined;
        }
        checkAt = performance.now() + checkProcessEveryMs;
      }
      const found = await calls.find(id, process);
      if (!found) return undefined;
      if (found.reply !== undefined) return JSON.parse(found.reply);
      await sleep(lookEveryMs, undefined, { signal: hungUp }).catch(() => {});
    }
    await calls.hangUp(id, call);
    return late;
  }

  return {
    /** Answers a call: where the question runs, or here. @throws errors of the database */
    async ask(question: LocalQuestion, hungUp: AbortSignal): Promise<ToolReply> {
      const id = calls.idOf(question.key);
      if (!question.isHere()) {
        const reply = await askElsewhere(id, question.late, hungUp);
        if (reply) return reply;
      }
      const reply = await question.answer(hungUp);
      if (reply.outcome === 'running' && question.isHere() && !open.has(id)) {
        open.set(id, { ...question });
        await calls.open(id);
        looking.every(lookEveryMs);
      }
      return reply;
    },
    stop: looking.stop,
  };
}

export type SharedQuestions = Pick<ReturnType<typeof shareQuestions>, 'ask'>;
