import { compact } from '../../requests/text.js';
import { isBeforeEnd } from '../counting/dates.js';
import { type DistinctPeople, PersonMark } from '../counting/distinct-people.js';
import { MissingValues } from '../counting/missing-values.js';
import { nameFields, nameReader, personKeyReader } from '../counting/person-fields.js';
import {
  type Contribution,
  type CountedRow,
  type Formula,
  fieldIndexes,
  type RecordCounter,
  type ReportFigures,
} from '../counting/report-figures.js';
import {
  addGiven,
  count,
  distinctPeople,
  figure,
  inAnyState,
  inStates,
  meanOf,
  numbered,
  rate,
  stateBits,
  sumIfGiven,
  unknown,
  wantedStates,
} from '../counting/rules.js';
import { roundedPercent } from '../format/values.js';
import type { RecordView } from '../record-view.js';
import { type FiguresPlan, factIfAny, type PeopleToLookAt } from '../result.js';

const numbers = [
  'sessions',
  'views',
  'seconds_viewed',
  'assignments_completed',
  'tracks_completed',
  'ratings',
] as const;
const signIns = ['first_login', 'last_login'] as const;

/** Limits of the people who may never have signed in: stored, and listed. */
const maxCandidates = 1_000;
const maxListed = 10;

/** A person with any of these is active. */
const activity = ['sessions', 'views', 'seconds_viewed', 'assignments_completed'] as const;

const bits = stateBits('active', 'inactive');

const at = numbered(
  'people',
  'active',
  'seconds',
  'sessions',
  'assignments',
  'tracks',
  'ratings',
  'ratingPoints',
  'withoutPerson',
  'rows',
  // Rows that give these numbers.
  'withSeconds',
  'withSessions',
  'withAssignments',
  'withTracks',
  'members',
  'activeMembers',
  // Rows that show a member, and the others. Both are 0 where no share is shown.
  'memberRows',
  'otherRows',
);

/** The share is of members. The people outside it must not be too few either: other figures count them too. */
const activeShare: Formula = {
  denominator: { rowsOfSums: [at.memberRows] },
  alsoAbout: { rowsOfSums: [at.otherRows] },
  countsPeople: true,
  toldApartBy: ['created_at', 'suspended', 'suspended_on'],
  needs: activity,
  value: (row) => (row.morePeople ? unknown : rate(row.sum(at.activeMembers), row.sum(at.members))),
};

/** A plain count of people, or "more than" where there were too many. */
const activePeople: Formula = {
  denominator: 'all-rows',
  countsPeople: true,
  needs: activity,
  value: (row) => (row.morePeople ? distinctPeople(row, at.active) : count(row.sum(at.active))),
};

const inactivePeople: Formula = {
  ...activePeople,
  value: (row) => (row.morePeople ? unknown : count(row.sum(at.people) - row.sum(at.active))),
};

/** A sum of amounts that rows may not give. */
const amount = (sum: number, given: number, valued = count): Formula => ({
  ...sumIfGiven(sum, given, at.rows, valued),
  addsAmounts: true,
});

const ofActive = inStates(['active']);

export const engagement: ReportFigures = {
  sums: at,
  rows: at.people,
  size: at.people,
  people: {
    sum: at.people,
    marked: [
      { marks: PersonMark.active, sum: at.active },
      { marks: PersonMark.member, sum: at.members },
      { marks: PersonMark.active | PersonMark.member, sum: at.activeMembers },
    ],
    inEveryTable: true,
  },
  groupedBy: 'departments',
  listed: {},
  rules: () => [
    figure('inactive-people', 'Inactive people', 'period-before', inactivePeople, {
      ...inStates(['inactive']),
      onlyInStates: true,
    }),
    figure('active-people', 'Active people', 'period-before', activePeople, ofActive),
    figure('active-share', 'Share active', 'period-before', activeShare, { appliesTo: areSeveral }),
    figure(
      'time',
      'Learning time',
      'period-before',
      amount(at.seconds, at.withSeconds, (seconds) => ({ kind: 'duration', seconds })),
      ofActive,
    ),
    figure('sessions', 'Sessions', 'period-before', amount(at.sessions, at.withSessions), ofActive),
    figure(
      'assignments-completed',
      'Assignments completed',
      'period-before',
      amount(at.assignments, at.withAssignments),
      ofActive,
    ),
    figure(
      'tracks-completed',
      'Tracks completed',
      'period-before',
      amount(at.tracks, at.withTracks),
      inAnyState,
    ),
    figure(
      'average-rating',
      'Average rating',
      'period-before',
      meanOf(at.ratingPoints, at.ratings, 'rating'),
      inAnyState,
    ),
  ],
  order: lessActive,
  highlights: [
    {
      title: 'Least active',
      ...activeShare,
      order: lessActive,
      includes: (row) => row.sum(at.activeMembers) < row.sum(at.members),
    },
    {
      title: 'Most active',
      ...activeShare,
      order: (a, b) => lessActive(b, a),
      includes: (row) => row.sum(at.activeMembers) > 0,
    },
  ],
  bars: {
    title: 'Share active (%)',
    share: activeShare.value,
    series: [
      {
        ...activeShare,
        name: 'Active (%)',
        value: (row) => roundedPercent(row.sum(at.activeMembers), row.sum(at.members)),
      },
    ],
  },
  fields: (plan) =>
    compact(numbers, 'ratings_average', fieldsOfMembers(plan), plan.people && [...signIns, ...nameFields]),
  counter: countEngagement,
};

/** The smaller share of active members first; of equal shares the one of more members. */
function lessActive(a: CountedRow, b: CountedRow): number {
  const shares = a.sum(at.activeMembers) / a.sum(at.members) - b.sum(at.activeMembers) / b.sum(at.members);
  return shares || b.sum(at.members) - a.sum(at.members);
}

/** The active and the inactive. */
function areSeveral(states: ReadonlySet<string>): boolean {
  return states.size > 1;
}

/** The flags that show who is a member; none where the share is not shown. */
function fieldsOfMembers({ states, filtersSuspended }: FiguresPlan): readonly string[] {
  if (states !== undefined && !areSeveral(new Set(states))) return [];
  return filtersSuspended ? ['created_at'] : ['created_at', 'suspended'];
}

/**
 * Finds the people whom the share is of: they had an account by the end of the range, and are not suspended. Undefined
 * where the share is not shown.
 */
function memberReader(
  plan: FiguresPlan,
  fields: readonly string[],
  missing: MissingValues,
): ((record: RecordView) => boolean) | undefined {
  const flags = fieldsOfMembers(plan);
  if (flags.length === 0) return undefined;
  // Absent where the request says which people count, suspended or not.
  const { created_at: createdAt = -1, suspended } = fieldIndexes(fields, flags);
  const wasInTime = plan.range && isBeforeEnd(plan.range.until * 1000, plan.zone);
  return (record) => {
    const created = missing.date(record, createdAt);
    if (suspended !== undefined && record.yesOrNo(suspended) === true) return false;
    // A missing date of creation counts as an early one.
    return Number.isNaN(created) || !wasInTime || wasInTime(created);
  };
}

function countEngagement(plan: FiguresPlan, fields: readonly string[]): RecordCounter {
  const wanted = wantedStates(plan, bits);
  const missing = new MissingValues(fields, ['created_at']);
  const isMemberIn = memberReader(plan, fields, missing);
  const absent = plan.people ? new NeverSignedIn(fields) : undefined;
  const index = fieldIndexes(fields, [...numbers, 'ratings_average']);
  const readPerson = personKeyReader(fields);
  return {
    parts: { missing, absent },
    read(record, into) {
      const { sums } = into;
      const sessions = missing.number(record, index.sessions);
      const views = missing.number(record, index.views);
      const seconds = missing.number(record, index.seconds_viewed);
      const assignments = missing.number(record, index.assignments_completed);
      const isActive = sessions > 0 || views > 0 || seconds > 0 || assignments > 0;
      if (wanted !== 0 && (wanted & (isActive ? bits.active : bits.inactive)) === 0) return false;
      const isMember = isMemberIn?.(record) ?? false;
      into.marks = (isActive ? PersonMark.active : 0) | (isMember ? PersonMark.member : 0);
      if (!readPerson(record, into)) {
        sums[at.people] = 1;
        sums[at.active] = isActive ? 1 : 0;
        sums[at.members] = isMember ? 1 : 0;
        sums[at.activeMembers] = isActive && isMember ? 1 : 0;
        sums[at.withoutPerson] = 1;
      }
      if (isMemberIn) sums[isMember ? at.memberRows : at.otherRows] = 1;
      sums[at.rows] = 1;
      addGiven(sums, at.sessions, at.withSessions, sessions);
      addGiven(sums, at.seconds, at.withSeconds, seconds);
      addGiven(sums, at.assignments, at.withAssignments, assignments);
      addGiven(sums, at.tracks, at.withTracks, missing.number(record, index.tracks_completed));
      const ratings = missing.number(record, index.ratings);
      const mean = ratings > 0 ? missing.number(record, index.ratings_average) : Number.NaN;
      // Each average is weighted by its number of ratings.
      if (!Number.isNaN(mean)) {
        sums[at.ratings] = ratings;
        sums[at.ratingPoints] = ratings * mean;
      }
      absent?.read(record, sessions > 0);
      return true;
    },
    notePerson: (record, adds, number, people) => absent?.note(record, adds, number, people),
    finish(total, _values, people) {
      const isInactive = wanted === bits.inactive;
      // The service may leave out inactive people.
      const fact = isInactive ? 'inactive-people-may-be-missing' : 'engagement-may-list-only-active';
      return {
        people: absent?.finish(people),
        different: distinctPeople(total, at.people),
        notes: compact(
          factIfAny('no-person-named-counts', total.sum(at.withoutPerson)),
          wanted !== bits.active && ({ kind: 'fact', fact, rows: total.sum(at.people) } as const),
        ),
      };
    },
  };
}

/** People without a sign-in in any row, in the order of the service. */
class NeverSignedIn {
  private readonly index;
  private readonly nameOf: (record: RecordView) => string;
  /** Of the record read last. */
  private hasSignedIn = false;
  /** The first who had not signed in when they came; a later row may still show that they have. */
  private readonly first: { readonly number: number; readonly name: string }[] = [];
  private nameless = 0;
  private seen = 0;

  constructor(fields: readonly string[]) {
    this.index = fieldIndexes(fields, signIns);
    this.nameOf = nameReader(fields);
  }

  read(record: RecordView, hasSessions: boolean): void {
    const { index } = this;
    this.hasSignedIn =
      hasSessions || !record.isMissing(index.first_login) || !record.isMissing(index.last_login);
  }

  /** Notes the person of the record read last. */
  note(record: RecordView, { hasPerson }: Contribution, number: number, people: DistinctPeople): void {
    const { first } = this;
    const isNew = number >= this.seen;
    if (isNew) this.seen = number + 1;
    if (this.hasSignedIn) people.mark(number, PersonMark.signedIn);
    else if (!hasPerson || isNew) {
      if (!hasPerson) this.nameless++;
      if (first.length < maxCandidates) first.push({ number, name: this.nameOf(record) });
    }
  }

  merge(later: NeverSignedIn, people: Int32Array): void {
    for (const { number, name } of later.first) {
      const own = people[number] ?? -1;
      const isNew = number < 0 || own >= this.seen;
      if (isNew && this.first.length < maxCandidates) this.first.push({ number: own, name });
    }
    this.nameless += later.nameless;
    this.seen = people.reduce((seen, number) => Math.max(seen, number + 1), this.seen);
  }

  finish(people: DistinctPeople): PeopleToLookAt {
    const list = this.first.filter(({ number }) => !people.isMarked(number, PersonMark.signedIn));
    return {
      why: 'never-signed-in',
      rows: people.count - people.countMarked(PersonMark.signedIn) + this.nameless,
      listed: list.slice(0, maxListed).map(({ name }) => ({ name })),
    };
  }
}
