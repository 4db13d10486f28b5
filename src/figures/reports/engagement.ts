import { reportNamed } from '../../catalogue/index.js';
import type { CountedValues } from '../counting/counted-values.js';
import { dateValue, RangeEnd } from '../counting/dates.js';
import { type DistinctPeople, PersonMark } from '../counting/distinct-people.js';
import { MissingValues } from '../counting/missing-values.js';
import { inAnyState, inStates, narrowedFigures, stateBits, wantedStates } from '../counting/narrowing.js';
import { nameFields, nameReader, personKeyFields, personKeyReader } from '../counting/person-fields.js';
import {
  type AboutPeople,
  addGiven,
  average,
  type Contribution,
  type CountedRow,
  count,
  distinctPeople,
  type FigureRule,
  fieldIndexes,
  ifGiven,
  type RecordCounter,
  type ReportFigures,
  type ReportFindings,
  rate,
} from '../counting/report-figures.js';
import { roundedPercent } from '../format/values.js';
import type { RecordView } from '../record-view.js';
import { type FiguresPlan, type FigureValue, factIfAny, type Note, type PeopleToLookAt } from '../result.js';

const numbers = [
  'sessions',
  'views',
  'seconds_viewed',
  'assignments_completed',
  'tracks_completed',
  'ratings',
] as const;
const signIns = ['first_login', 'last_login'] as const;

/** Limits of the people who may never have signed in: kept, and listed. */
const maxCandidates = 1_000;
const maxListed = 10;

/** A person with any of these is active. */
const activity = ['sessions', 'views', 'seconds_viewed', 'assignments_completed'] as const;

const bits = stateBits('active', 'inactive');

/** The sums. */
const at = {
  people: 0,
  active: 1,
  seconds: 2,
  sessions: 3,
  assignments: 4,
  tracks: 5,
  ratings: 6,
  ratingPoints: 7,
  withoutPerson: 8,
  rows: 9,
  /** Rows that give these numbers. */
  withSeconds: 10,
  withSessions: 11,
  withAssignments: 12,
  withTracks: 13,
  members: 14,
  activeMembers: 15,
  /** Rows that show a member, and the others. Both are 0 where no share is shown. */
  memberRows: 16,
  otherRows: 17,
} as const;

/** The share is of members. The people outside it must not be too few either: other figures count them too. */
const ofMembers = {
  denominator: { rowsOfSums: [at.memberRows] },
  alsoAbout: { rowsOfSums: [at.otherRows] },
  countsPeople: true,
  toldApartBy: ['created_at', 'suspended', 'suspended_on'],
} as const satisfies AboutPeople;

export const engagement: ReportFigures = {
  sums: Object.keys(at).length,
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
  rules: () => [
    {
      id: 'active-people',
      denominator: 'all-rows',
      countsPeople: true,
      label: 'Active people',
      needs: activity,
      compared: 'period-before',
      appliesTo: inStates('active'),
      value: (row) => differentPeople(row, at.active),
    },
    {
      id: 'active-share',
      ...ofMembers,
      label: 'Share active',
      needs: activity,
      compared: 'period-before',
      appliesTo: inActiveAndInactive,
      value: activeShare,
    },
    {
      id: 'time',
      denominator: 'all-rows',
      label: 'Learning time',
      compared: 'period-before',
      appliesTo: inStates('active'),
      addsAmounts: true,
      value: (row) =>
        ifGiven(row.sum(at.rows), row.sum(at.withSeconds), {
          kind: 'duration',
          seconds: row.sum(at.seconds),
        }),
    },
    {
      id: 'sessions',
      denominator: 'all-rows',
      label: 'Sessions',
      compared: 'period-before',
      appliesTo: inStates('active'),
      addsAmounts: true,
      value: (row) => ifGiven(row.sum(at.rows), row.sum(at.withSessions), count(row.sum(at.sessions))),
    },
    {
      id: 'assignments-completed',
      denominator: 'all-rows',
      label: 'Assignments completed',
      compared: 'period-before',
      appliesTo: inStates('active'),
      addsAmounts: true,
      value: (row) => ifGiven(row.sum(at.rows), row.sum(at.withAssignments), count(row.sum(at.assignments))),
    },
    {
      id: 'tracks-completed',
      denominator: 'all-rows',
      label: 'Tracks completed',
      compared: 'period-before',
      appliesTo: inAnyState,
      addsAmounts: true,
      value: (row) => ifGiven(row.sum(at.rows), row.sum(at.withTracks), count(row.sum(at.tracks))),
    },
    {
      id: 'average-rating',
      denominator: { rowsOfSums: [at.ratings] },
      label: 'Average rating',
      compared: 'period-before',
      appliesTo: inAnyState,
      value: (row) => average(row.sum(at.ratingPoints), row.sum(at.ratings), 'rating'),
    },
  ],
  size: (row) => row.sum(at.people),
  order: lessActive,
  highlights: [
    {
      title: 'Least active',
      ...ofMembers,
      needs: activity,
      order: lessActive,
      includes: (row) => row.sum(at.activeMembers) < row.sum(at.members),
      value: activeShare,
    },
    {
      title: 'Most active',
      ...ofMembers,
      needs: activity,
      order: (a, b) => lessActive(b, a),
      includes: (row) => row.sum(at.activeMembers) > 0,
      value: activeShare,
    },
  ],
  bars: {
    title: 'Share active (%)',
    share: activeShare,
    series: [
      {
        name: 'Active (%)',
        ...ofMembers,
        value: (row) => roundedPercent(row.sum(at.activeMembers), row.sum(at.members)),
      },
    ],
  },
  fields: (plan) => [
    ...numbers,
    'ratings_average',
    ...personKeyFields,
    ...Members.fields(plan),
    ...(plan.people ? [...signIns, ...nameFields] : []),
  ],
  counter: (plan, fields) => new EngagementCounter(plan, fields),
};

/** The people who are active, or those who are not. */
export function engagementIn(plan: FiguresPlan): ReportFigures {
  const inactivePeople: FigureRule = {
    id: 'inactive-people',
    denominator: 'all-rows',
    countsPeople: true,
    label: 'Inactive people',
    needs: activity,
    compared: 'period-before',
    appliesTo: inStates('inactive'),
    value: (row) => (row.morePeople ? { kind: 'unknown' } : count(row.sum(at.people) - row.sum(at.active))),
  };
  return narrowedFigures(engagement, plan, {
    count: (row) => row.sum(at.people),
    countsPeople: true,
    people: engagement.people,
    rules: (whole) => [inactivePeople, ...engagement.rules(whole)],
  });
}

/** A plain count, or "more than" where there were too many people. */
function differentPeople(row: CountedRow, sum: number): FigureValue {
  return row.morePeople ? distinctPeople(row, sum) : count(row.sum(sum));
}

function activeShare(row: CountedRow): FigureValue {
  return row.morePeople ? { kind: 'unknown' } : rate(row.sum(at.activeMembers), row.sum(at.members));
}

/** The smaller share of active members first; of equal shares the one of more members. */
function lessActive(a: CountedRow, b: CountedRow): number {
  const shares = a.sum(at.activeMembers) / a.sum(at.members) - b.sum(at.activeMembers) / b.sum(at.members);
  return shares || b.sum(at.members) - a.sum(at.members);
}

function inActiveAndInactive(states: ReadonlySet<string>): boolean {
  return states.size > 1;
}

/** The people whom the share is of: they had an account by the end of the range, and are not suspended. */
class Members {
  private constructor(
    private readonly created: number,
    /** Below 0 where the request says which people count, suspended or not. */
    private readonly suspended: number,
    private readonly end: RangeEnd | undefined,
  ) {}

  /** The flags that it reads; none where the share is not shown. */
  static fields({ states, filtersSuspended }: FiguresPlan): readonly string[] {
    if (states !== undefined && !inActiveAndInactive(new Set(states))) return [];
    return filtersSuspended ? ['created_at'] : ['created_at', 'suspended'];
  }

  /** Undefined where the share is not shown. */
  static start(plan: FiguresPlan, fields: readonly string[]): Members | undefined {
    const { range, zone } = plan;
    const flags = Members.fields(plan);
    if (flags.length === 0) return undefined;
    const index = fieldIndexes(fields, flags);
    const end = range && new RangeEnd(range.until, zone);
    return new Members(index.created_at ?? -1, index.suspended ?? -1, end);
  }

  /** A missing date of creation counts as an early one. */
  has(record: RecordView, missing: MissingValues): boolean {
    const created = missing.optionalInstant(record, this.created);
    if (this.suspended >= 0 && record.yesOrNo(this.suspended) === true) return false;
    if (Number.isNaN(created) || !this.end) return true;
    return this.end.isAfter(dateValue(record, this.created, created));
  }
}

class EngagementCounter implements RecordCounter {
  private readonly index: Readonly<Record<(typeof numbers)[number] | 'ratings_average', number>>;
  private readonly readPerson: (record: RecordView, into: Contribution) => boolean;
  /** Bits of states; 0: every record counts. */
  private readonly wanted: number;
  private readonly missing: MissingValues;
  private readonly members: Members | undefined;
  private readonly absent: NeverSignedIn | undefined;

  constructor(plan: FiguresPlan, fields: readonly string[]) {
    this.wanted = wantedStates(plan, bits);
    this.missing = new MissingValues(fields);
    this.members = Members.start(plan, fields);
    this.absent = plan.people ? new NeverSignedIn(fields) : undefined;
    this.index = fieldIndexes(fields, [...numbers, 'ratings_average']);
    this.readPerson = personKeyReader(fields);
  }

  read(record: RecordView, into: Contribution): boolean {
    const { sums } = into;
    const { index, missing } = this;
    const sessions = missing.number(record, index.sessions);
    const views = missing.number(record, index.views);
    const seconds = missing.number(record, index.seconds_viewed);
    const assignments = missing.number(record, index.assignments_completed);
    const isActive = sessions > 0 || views > 0 || seconds > 0 || assignments > 0;
    if (this.wanted !== 0 && (this.wanted & (isActive ? bits.active : bits.inactive)) === 0) return false;
    const isMember = this.members?.has(record, missing) ?? false;
    into.marks = (isActive ? PersonMark.active : 0) | (isMember ? PersonMark.member : 0);
    if (!this.readPerson(record, into)) {
      sums[at.people] = 1;
      sums[at.active] = isActive ? 1 : 0;
      sums[at.members] = isMember ? 1 : 0;
      sums[at.activeMembers] = isActive && isMember ? 1 : 0;
      sums[at.withoutPerson] = 1;
    }
    if (this.members) sums[isMember ? at.memberRows : at.otherRows] = 1;
    sums[at.rows] = 1;
    addGiven(sums, at.sessions, at.withSessions, sessions);
    addGiven(sums, at.seconds, at.withSeconds, seconds);
    addGiven(sums, at.assignments, at.withAssignments, assignments);
    addGiven(sums, at.tracks, at.withTracks, missing.number(record, index.tracks_completed));
    this.readRatings(record, sums);
    this.absent?.read(record, sessions > 0);
    return true;
  }

  notePerson(record: RecordView, adds: Contribution, number: number, people: DistinctPeople): void {
    this.absent?.note(record, adds, number, people);
  }

  finish(total: CountedRow, _values: CountedValues, people: DistinctPeople): ReportFindings {
    return {
      unread: this.missing.unreadFields(),
      notes: [
        ...this.missing.notes(reportNamed('engagement')),
        ...factIfAny('nobody-named-counts', total.sum(at.withoutPerson)),
        ...this.noteOnInactive(total.sum(at.people)),
      ],
      different: distinctPeople(total, at.people),
      people: this.absent?.finish(people),
    };
  }

  /** A note that the service may leave out inactive people. */
  private noteOnInactive(rows: number): Note[] {
    if (this.wanted === bits.active) return [];
    const isInactive = this.wanted === bits.inactive;
    const fact = isInactive ? 'inactive-people-may-be-missing' : 'engagement-may-list-only-active';
    return [{ kind: 'fact', fact, rows }];
  }

  /** Each average is weighted by its number of ratings. */
  private readRatings(record: RecordView, sums: Float64Array): void {
    const ratings = this.missing.number(record, this.index.ratings);
    if (!(ratings > 0)) return;
    const mean = this.missing.number(record, this.index.ratings_average);
    if (Number.isNaN(mean)) return;
    sums[at.ratings] = ratings;
    sums[at.ratingPoints] = ratings * mean;
  }
}

/** People without a sign-in in any row, in the order of the service. */
class NeverSignedIn {
  private readonly index: Readonly<Record<(typeof signIns)[number], number>>;
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

  /** @param people by the number of a person of `later`: the number here */
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
