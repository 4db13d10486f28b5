/** A client waits 60 s for an answer. */
const answerWithinMs = 50_000;

/** An answer that says how far a question is may be asked about for this long. */
const askAgainWithinMs = 60_000;

interface Question<Answer> {
  readonly answer: Promise<Answer>;
  readonly controller: AbortController;
  /** Calls that wait for the answer now. */
  waiting: number;
  /** True once a client was told that it is running. */
  isKnownToRun: boolean;
  timer?: NodeJS.Timeout;
}

interface Call {
  /** The same for two calls with the same question of one person. */
  readonly key: string;
  /** Aborted when the client hangs up. */
  readonly hungUp: AbortSignal;
  /** True where the work ends without the client: it sends what it makes elsewhere. */
  readonly endsAlone?: boolean;
}

/**
 * Questions that may take longer than a client waits. A call that would take too long returns undefined, and the work goes
 * on. The same question again gets its answer. The work is cancelled if its client hangs up before any answer, or does not
 * ask again in time.
 */
export function longQuestions<Answer>(limits = { answerWithinMs, askAgainWithinMs }) {
  const open = new Map<string, Question<Answer>>();

  function begin(key: string, work: (signal: AbortSignal) => Promise<Answer>): Question<Answer> {
    const controller = new AbortController();
    const answer = work(controller.signal);
    // Nobody may be waiting when it fails.
    answer.catch(() => {});
    const question = { answer, controller, waiting: 0, isKnownToRun: false };
    open.set(key, question);
    return question;
  }

  function end(key: string, question: Question<Answer>) {
    clearTimeout(question.timer);
    if (open.get(key) === question) open.delete(key);
  }

  return {
    /** True while a question runs, or its answer waits to be asked for. */
    has: (key: string) => open.has(key),
    /**
     * @returns undefined if it runs longer than a client waits, or if its client has hung up
     * @throws what the work throws
     */
    async ask(
      { key, hungUp, endsAlone = false }: Call,
      work: (signal: AbortSignal) => Promise<Answer>,
    ): Promise<Answer | undefined> {
      const question = open.get(key) ?? begin(key, work);
      clearTimeout(question.timer);
      question.waiting += 1;
      const outcome = await firstOf(question.answer, hungUp, limits.answerWithinMs);
      question.waiting -= 1;
      if (outcome === 'answered') {
        end(key, question);
        return question.answer;
      }
      question.isKnownToRun ||= outcome === 'late';
      if (question.waiting > 0) return undefined;
      const cancel = () => {
        end(key, question);
        question.controller.abort();
      };
      if (!question.isKnownToRun) cancel();
      else if (endsAlone) {
        const ended = () => end(key, question);
        question.answer.then(ended, ended);
      } else {
        question.timer = setTimeout(cancel, limits.askAgainWithinMs);
        question.timer.unref();
      }
      return undefined;
    },
  };
}

async function firstOf(answer: Promise<unknown>, hungUp: AbortSignal, withinMs: number) {
  let stop = () => {};
  const otherwise = new Promise<'late' | 'hung-up'>((resolve) => {
    const timer = setTimeout(() => resolve('late'), withinMs);
    const hangUp = () => resolve('hung-up');
    hungUp.addEventListener('abort', hangUp);
    if (hungUp.aborted) hangUp();
    stop = () => {
      clearTimeout(timer);
      hungUp.removeEventListener('abort', hangUp);
    };
  });
  const answered = () => 'answered' as const;
  try {
    return await Promise.race([answer.then(answered, answered), otherwise]);
  } finally {
    stop();
  }
}
