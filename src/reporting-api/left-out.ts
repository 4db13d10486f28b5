import { identityOfLeftOut, type LeftOutPeople, parseLeftOut } from '../access/left-out.js';
import { personKeyFields } from '../figures/counting/person-fields.js';
import type { LogOf } from '../logging/logger.js';
import type { Query, ReadOptions, ReadPlan, ReadResult, ReportSource } from '../runner/ports.js';
import { aboutLearners } from './client.js';

/** LEFT_OUT: its file, and the people in it at the start. */
export interface LeftOutSettings {
  readonly path: string;
  readonly people: LeftOutPeople;
}

interface LeaveOutOptions {
  /** The list as it is now. */
  readonly current: () => LeftOutPeople;
  /** How many people were left out is said from so many on. */
  readonly smallestGroup: number;
  /** The key of the numbers that tell lists apart. */
  readonly key: string;
}

/**
 * The same source without the rows of people who are left out. Each plan holds the list, so answers that were read with
 * another list are neither shared nor cached for it.
 */
export function leaveOut(source: ReportSource, { current, smallestGroup, key }: LeaveOutOptions) {
  return {
    /** The number that tells the current list apart, as in figures; undefined if it is empty. */
    list(): number | undefined {
      const people = current();
      return people.count === 0 ? undefined : identityOfLeftOut(people, key);
    },
    async read(query: Query, plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
      const people = current();
      const { own, ...reading } = plan;
      if (people.count === 0 || !aboutLearners.has(query.operation)) {
        return source.read(query, reading, options);
      }
      const missing = personKeyFields.filter((flag) => !reading.fields.includes(flag));
      const { leftOut, figures, ...read } = await source.read(
        { ...query, body: { ...Object.fromEntries(missing.map((flag) => [flag, true])), ...query.body } },
        {
          ...reading,
          fields: [...reading.fields, ...missing],
          leftOut: { people: people.lines, own },
        },
        options,
      );
      // No one is left out of what people ask about themselves.
      if (own !== undefined) return { ...read, figures };
      // Only those who may read everything are told how many, and no one is told about a few.
      const mayKnow = plan.figures?.people === true && plan.rowCheck === undefined;
      const count = leftOut?.people ?? 0;
      const said = {
        list: identityOfLeftOut(people, key),
        people: mayKnow && count >= Math.max(1, smallestGroup) ? count : undefined,
      };
      return { ...read, leavesOutPeople: true, figures: figures && { ...figures, leftOut: said } };
    },
  };
}

interface WatchParts {
  /** Changes whenever the file does. @throws where there is no file */
  readonly versionOf: (path: string) => Promise<string>;
  /** @throws where the file cannot be read */
  readonly read: (path: string) => Promise<string>;
  /** Calls back again and again. Returns a function that ends it. */
  readonly every: (callback: () => void) => () => void;
  /** Called when the file becomes unusable, and not again until it was usable in between. */
  readonly onUnusable: (why: string) => void;
  readonly log: LogOf<'info' | 'error'>;
}

/**
 * The list of LEFT_OUT, which follows its file. A change counts when two looks in a row find the same, so that a file
 * that is being written is not taken half-way. While the file is unusable, the last list holds: answers never become
 * whole by accident.
 */
export function watchLeftOut(
  { path, people: atStart }: LeftOutSettings,
  { versionOf, read, every, onUnusable, log }: WatchParts,
) {
  let people = atStart;
  let seen: string | undefined;
  let taken: string | undefined;
  let isLooking = false;
  let isUsable = true;
  const unusable = (what: string) => {
    const why = `LEFT_OUT names a file that ${what}. The list that was read last holds.`;
    log.error({}, why);
    if (isUsable) onUnusable(why);
    isUsable = false;
  };
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      const version = await versionOf(path).catch(() => missing);
      const isSettled = version === seen;
      seen = version;
      if (!isSettled || version === taken) return;
      taken = version;
      const text = await read(path);
      // It may have changed once more meanwhile.
      if ((await versionOf(path)) !== taken) return;
      const parsed = parseLeftOut(text);
      if (!parsed.ok) {
        const [first] = parsed.refusal;
        return unusable(`is invalid: correct line ${first?.line}, which ${first?.what}`);
      }
      isUsable = true;
      if (parsed.value.lines === people.lines) return;
      people = parsed.value;
      log.info({ entries: people.count }, 'The file of LEFT_OUT has changed, and its new list holds');
    } catch {
      unusable('cannot be read: check its path and permissions');
    } finally {
      isLooking = false;
    }
  };
  return { current: () => people, stop: every(() => void look()) };
}

const missing = 'missing';
