import { reportNamed } from '../../reports/catalogue/index.js';
import type { RecordView } from '../../reports/record-view.js';
import type { Contribution } from '../counting/contribution.js';
import type { CountedRow } from '../counting/counted-row.js';
import { Gaps } from '../counting/gaps.js';
import { PeopleList } from '../counting/people-list.js';
import { nameFields, nameReader } from '../counting/person-name.js';
import {
  type OwnFindings,
  placesOf,
  type RecordCounter,
  type ReportFigures,
} from '../counting/report-figures.js';
import { average, count, rate } from '../counting/values.js';

const numbers = [
  'sessions',
  'views',
  'seconds_viewed',
  'assignments_completed',
  'tracks_completed',
  'ratings',
] as const;
const signIns = ['first_login', 'last_login'] as const;

/** What makes a person active. */
const activity = ['sessions', 'views', 'seconds_viewed', 'assignments_completed'] as const;

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
} as const;

export const engagement: ReportFigures = {
  sums: Object.keys(at).length,
  groupedBy: 'departments',
  rules: () => [
    {
      id: 'active-people',
      label: 'Active people',
      needs: activity,
      value: (row) => count(row.sum(at.active)),
    },
    {
      id: 'active-share',
      label: 'Share active',
      needs: activity,
      value: (row) => rate(row.sum(at.active), row.sum(at.people)),
    },
    {
      id: 'time',
      label: 'Learning time',
      needs: ['seconds_viewed'],
      value: (row) => ({ kind: 'duration', seconds: row.sum(at.seconds) }),
    },
    { id: 'sessions', label: 'Sessions', needs: ['sessions'], value: (row) => count(row.sum(at.sessions)) },
    {
      id: 'assignments-completed',
      label: 'Assignments completed',
      needs: ['assignments_completed'],
      value: (row) => count(row.sum(at.assignments)),
    },
    {
      id: 'tracks-completed',
      label: 'Tracks completed',
      needs: ['tracks_completed'],
      value: (row) => count(row.sum(at.tracks)),
    },
    {
      id: 'average-rating',
      label: 'Average rating',
      value: (row) => average(row.sum(at.ratingPoints), row.sum(at.ratings), 'rating'),
    },
  ],
  order: moreActive,
  highlights: [
    {
      title: 'Most active',
      needs: activity,
      order: moreActive,
      among: (row) => row.sum(at.active) > 0,
      value: activeShare,
    },
    {
      title: 'Least active',
      needs: activity,
      order: (a, b) => moreActive(b, a),
      among: (row) => row.sum(at.active) < row.sum(at.people),
      value: activeShare,
    },
  ],
  bars: {
    title: 'Share of active people (%)',
    series: [
      {
        name: 'Active (%)',
        value: (row) => Math.round((1000 * row.sum(at.active)) / row.sum(at.people)) / 10,
      },
    ],
  },
  fields: ({ people }) => [...numbers, 'ratings_average', ...(people ? [...signIns, ...nameFields] : [])],
  counter: ({ people }, fields) =>
    new EngagementCounter(
      fields,
      Gaps.over(fields),
      people ? new NeverSignedIn(fields, PeopleList.empty()) : undefined,
    ),
};

function activeShare(row: CountedRow) {
  return rate(row.sum(at.active), row.sum(at.people));
}

/** The larger share of active people first; of equal shares the one of more people. */
function moreActive(a: CountedRow, b: CountedRow): number {
  const shares = b.sum(at.active) / b.sum(at.people) - a.sum(at.active) / a.sum(at.people);
  return shares || b.sum(at.people) - a.sum(at.people);
}

class EngagementCounter implements RecordCounter {
  private readonly place: Readonly<Record<(typeof numbers)[number] | 'ratings_average', number>>;

  constructor(
    private readonly fields: readonly string[],
    private readonly gaps: Gaps,
    private readonly absent: NeverSignedIn | undefined,
  ) {
    this.place = placesOf(fields, [...numbers, 'ratings_average']);
  }

  read(record: RecordView, { sums }: Contribution): boolean {
    const { place, gaps } = this;
    const sessions = gaps.amount(record, place.sessions);
    const views = gaps.amount(record, place.views);
    const seconds = gaps.amount(record, place.seconds_viewed);
    const assignments = gaps.amount(record, place.assignments_completed);
    sums[at.people] = 1;
    sums[at.active] = sessions > 0 || views > 0 || seconds > 0 || assignments > 0 ? 1 : 0;
    sums[at.sessions] = sessions;
    sums[at.seconds] = seconds;
    sums[at.assignments] = assignments;
    sums[at.tracks] = gaps.amount(record, place.tracks_completed);
    this.readRatings(record, sums);
    if (this.absent && !(sessions > 0)) this.absent.note(record);
    return true;
  }

  copy(): EngagementCounter {
    return new EngagementCounter(this.fields, this.gaps.copy(), this.absent?.copy());
  }

  finish(total: CountedRow): OwnFindings {
    return {
      unread: this.gaps.unread(),
      notes: [
        ...this.gaps.notes(reportNamed('engagement')),
        { kind: 'fact', fact: 'engagement-may-list-only-active', rows: total.sum(at.people) },
      ],
      ...(this.absent ? { people: this.absent.list.finish('never-signed-in') } : {}),
    };
  }

  /** An average counts as often as it was given; one that nobody gave counts nothing. */
  private readRatings(record: RecordView, sums: Float64Array): void {
    const ratings = this.gaps.amount(record, this.place.ratings);
    if (!(ratings > 0)) return;
    const mean = this.gaps.number(record, this.place.ratings_average);
    if (Number.isNaN(mean)) return;
    sums[at.ratings] = ratings;
    sums[at.ratingPoints] = ratings * mean;
  }
}

/** Those with no sign-in at all, in the service's order. */
class NeverSignedIn {
  private readonly place: Readonly<Record<(typeof signIns)[number], number>>;
  private readonly nameOf: (record: RecordView) => string;

  constructor(
    private readonly fields: readonly string[],
    readonly list: PeopleList,
  ) {
    this.place = placesOf(fields, signIns);
    this.nameOf = nameReader(fields);
  }

  note(record: RecordView): void {
    const { place, list } = this;
    if (!record.isMissing(place.first_login) || !record.isMissing(place.last_login)) return;
    if (list.counts(0)) list.list(0, { name: this.nameOf(record) });
  }

  copy(): NeverSignedIn {
    return new NeverSignedIn(this.fields, this.list.copy());
  }
}
