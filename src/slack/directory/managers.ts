import { LRUCache } from 'lru-cache';
import type { Scope } from '../../access/scope.js';
import { userFilter } from '../../catalogue/learner.js';
import { plainRequest, type ReportRequest } from '../../requests/request.js';
import type { ReportSource } from '../../runner/ports.js';
import type { RunOptions } from '../../runner/queries.js';
import { runReport } from '../../runner/run-report.js';
import type { WeekStart } from '../../time/calendar.js';
import type { Clock } from '../../time/clock.js';

interface PossibleManager {
  /** A Slack user ID. */
  readonly id: string;
  /** IANA zone. */
  readonly zone: string;
  /** Confirmed by Slack. */
  readonly address: string;
}

interface ManagersParts {
  readonly source: ReportSource;
  readonly weekStart: WeekStart;
  readonly clock: Clock;
  readonly log: { warn(details: object, message: string): void };
}

const maxPeople = 10_000;
const maxAgeMs = 24 * 3_600_000;
const retryAfterMs = 10 * 60_000;
const timeoutMs = 60_000;
/** Many people may open their Home tab at once, and their requests go first. */
const maxLookups = 3;

/** Assignments of a year. A person without any has nothing overdue either. */
const request: ReportRequest = { ...plainRequest('assignments'), range: 'last-12-months' };

/**
 * Asks the Reporting Service whether a person has direct reports, at most once a day. Caches only yes or no, in memory.
 *
 * @param changed called with the ID of a person for whom the answer is another than before
 */
export function managersOf(parts: ManagersParts, changed: (user: string) => void) {
  const { clock, log } = parts;
  const known = new LRUCache<string, { readonly manages?: boolean | undefined; readonly until: number }>({
    max: maxPeople,
  });
  const underWay = new Set<string>();

  async function lookUp(person: PossibleManager): Promise<void> {
    const { id } = person;
    if (underWay.has(id) || underWay.size >= maxLookups) return;
    underWay.add(id);
    const before = known.get(id)?.manages;
    try {
      const options = { urgency: 'digest', signal: AbortSignal.timeout(timeoutMs) } as const;
      const manages = (await recordsOfTeam(request, person, options, parts)) > 0;
      known.set(id, { manages, until: clock.now() + maxAgeMs });
      if (manages !== (before ?? false)) changed(id);
    } catch (err) {
      known.set(id, { manages: before, until: clock.now() + retryAfterMs });
      log.warn({ err }, 'The people that a member manages could not be looked up');
    } finally {
      underWay.delete(id);
    }
  }

  return {
    /** The same of a Slack user ID, as far as it was looked up before. */
    known: (id: string): boolean | undefined => known.get(id)?.manages,
    /**
     * Whether the person has direct reports; undefined: not known. Never waits: unknown and old answers are looked up in
     * the background.
     */
    manages(person: PossibleManager): boolean | undefined {
      const found = known.get(person.id);
      if (!found || found.until <= clock.now()) void lookUp(person);
      return found?.manages;
    },
  };
}

export type Managers = ReturnType<typeof managersOf>;

const maxWaitMs = 10_000;

/**
 * Those of some addresses that are direct reports of a manager, as far as they have assignments. None where the service
 * does not say so in time.
 */
export async function reportsAmong(
  addresses: readonly string[],
  manager: PossibleManager,
  parts: ManagersParts,
): Promise<readonly string[]> {
  const options = { urgency: 'person', signal: AbortSignal.timeout(maxWaitMs) } as const;
  const counts = await Promise.all(
    addresses.map((address) => {
      const filters = [{ object: userFilter.name, member: 'email', entries: [address] }];
      return recordsOfTeam({ ...request, filters }, manager, options, parts).catch(() => 0);
    }),
  );
  return addresses.filter((_, index) => (counts[index] ?? 0) > 0);
}

async function recordsOfTeam(
  asked: ReportRequest,
  { id, zone, address }: PossibleManager,
  options: Pick<RunOptions, 'urgency' | 'signal'>,
  { source, weekStart, clock }: ManagersParts,
): Promise<number> {
  // It refuses an answer with people of other teams, should the service ignore the filter.
  const scope: Scope = { rows: 'team', address, smallestGroup: 1, namesPeople: false, onlyDirect: true };
  const { records } = await runReport(
    asked,
    { asker: { id, zone, email: address }, requestedAt: clock.now(), fileOnly: true, scope, ...options },
    { source, weekStart },
  );
  return records;
}
