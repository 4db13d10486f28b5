import { compact } from '../../requests/text.js';
import { CompletedBy, isDueIn } from '../counting/dates.js';
import { MissingValues } from '../counting/missing-values.js';
import { nameFields, PeopleList, personKeyReader } from '../counting/person-fields.js';
import { ProgressScale } from '../counting/progress-scale.js';
import { fieldIndexes, type RecordCounter, type ReportFigures } from '../counting/report-figures.js';
import {
  addGiven,
  barsOf,
  byMost,
  figure,
  inAnyState,
  inStates,
  isNarrowed,
  meanOf,
  mostOf,
  numbered,
  peopleOf,
  shareOfRows,
  stateBits,
  sumOf,
  wantedStates,
} from '../counting/rules.js';
import { Statuses, type StatusMeaning } from '../counting/statuses.js';
import { type FiguresPlan, factIfAny, type PeopleToLookAt } from '../result.js';

const flags = ['track_status', 'track_progress', 'track_completed_date'] as const;

/** In progress below this, in percent, is stalled. */
const stalledBelow = 50;

const at = numbered(
  'all',
  'started',
  'completed',
  'withoutDate',
  'recent',
  'inProgress',
  'stalled',
  // The same if progress should turn out to be a fraction of 1.
  'stalledAsFraction',
  'progress',
  'withProgress',
  'people',
  'withoutPerson',
);

const bits = stateBits('stalled', 'not-started', 'in-progress', 'not-completed', 'completed');

export const tracks: ReportFigures = {
  sums: at,
  rows: at.all,
  size: at.all,
  pace: { recent: at.recent, undated: at.withoutDate },
  people: { sum: at.people, onlyInStates: true },
  groupedBy: 'track_title',
  listed: { title: 'track_title' },
  rules: ({ byAssignedDate, states }) => {
    // By the service's own date, earlier rows had more time to be completed.
    const atEqualAge = byAssignedDate ? 'equal-age' : 'nothing';
    return [
      figure(
        'enrolments',
        'Track enrolments',
        states ? atEqualAge : 'period-before',
        sumOf(at.all),
        inAnyState,
      ),
      figure('people', 'People', atEqualAge, peopleOf(at.people), { ...inAnyState, onlyInStates: true }),
      figure('started', 'Started', 'nothing', sumOf(at.started), inStates(['not-completed'])),
      figure('completed', 'Completed', atEqualAge, sumOf(at.completed), inStates([], 'completed')),
      figure('completion-rate', 'Completion rate', atEqualAge, shareOfRows(at.completed, at.all)),
      figure(
        'average-progress',
        'Average progress',
        'nothing',
        meanOf(at.progress, at.withProgress, 'percent'),
        inStates(['stalled', 'in-progress', 'not-completed']),
      ),
      figure('in-progress', 'In progress', 'last-run', sumOf(at.inProgress), {
        ...inStates(['not-completed'], 'in-progress'),
      }),
      figure('stalled', `Under ${stalledBelow}% complete`, 'last-run', sumOf(at.stalled), {
        heading: `Under ${stalledBelow}%`,
        ...inStates(['in-progress', 'not-completed'], 'stalled'),
      }),
    ];
  },
  order: byMost(at.started, at.all),
  highlights: [mostOf(`Most under ${stalledBelow}% complete`, at.stalled)],
  bars: {
    title: 'Started and completed',
    series: [barsOf('Started', at.started), barsOf('Completed', at.completed)],
  },
  fields: ({ people }) => compact(flags, people && [...nameFields, 'track_title']),
  counter: (plan, fields) => countTracks(plan, fields, false),
};

/** The same if progress is read as fractions of 1 to tell who is stalled. */
export const tracksAsFractions: ReportFigures = {
  ...tracks,
  counter: (plan, fields) => countTracks(plan, fields, true),
};

/** True if the scale of progress, which only the end of the answer shows, decides which rows count. */
export function dependsOnScale({ report, states = [], conditions, hasFractions }: FiguresPlan): boolean {
  return (
    report === 'tracks' && states.includes('stalled') && !conditions?.progress && hasFractions === undefined
  );
}

/** @param assumed the assumed scale of progress, for the states: true for fractions */
function countTracks(plan: FiguresPlan, fields: readonly string[], assumed: boolean): RecordCounter {
  // Conditions on progress have the scale of the whole answer. The rows that they let through may look like another.
  const known = plan.conditions?.progress?.isFraction ?? plan.hasFractions;
  const asFractions = known ?? assumed;
  const index = fieldIndexes(fields, flags);
  const wanted = wantedStates(plan, bits);
  const missing = new MissingValues(fields, ['track_completed_date']);
  const statuses = new Statuses(index.track_status, missing);
  const readPerson = isNarrowed(plan) || plan.paceRange ? personKeyReader(fields) : undefined;
  const isRecent = plan.paceRange && isDueIn(plan.paceRange);
  const scale = new ProgressScale(known);
  const stalledPeople = plan.people
    ? new PeopleList(fields, 'track_title', 'percent', plan.tellsPeople)
    : undefined;
  const completedBy = CompletedBy.start(plan);

  function statesOf(meaning: StatusMeaning | undefined, isCompleted: boolean, progress: number): number {
    if (isCompleted) return bits.completed;
    if (meaning === 'not-started') return bits['not-completed'] | bits['not-started'];
    if (meaning !== 'in-progress') return bits['not-completed'];
    const isStalled = progress < (asFractions ? stalledBelow / 100 : stalledBelow);
    return bits['not-completed'] | bits['in-progress'] | (isStalled ? bits.stalled : 0);
  }

  return {
    parts: { missing, spread: statuses.spread, completedBy, scale, stalledPeople },
    read(record, into) {
      const { sums } = into;
      const status = statuses.read(record);
      const progress = missing.percentage(record, index.track_progress);
      const done = missing.date(record, index.track_completed_date);
      const meaning = status?.meaning;
      const isCompletedNow = !Number.isNaN(done) || meaning === 'completed' || meaning === 'passed';
      const isCompleted = isCompletedNow && (completedBy?.wasCompleted(done) ?? true);
      if (!Number.isNaN(progress)) scale.see(progress, Number.isNaN(record.number(index.track_progress)));
      if (wanted !== 0 && (wanted & statesOf(meaning, isCompleted, progress)) === 0) return false;

      statuses.count(status, record);
      sums[at.all] = 1;
      if (isCompleted) sums[at.completed] = 1;
      if (isCompleted && Number.isNaN(done)) sums[at.withoutDate] = 1;
      else if (isCompleted && isRecent?.(done)) sums[at.recent] = 1;
      if (isCompleted || meaning === 'in-progress' || meaning === 'failed' || progress > 0)
        sums[at.started] = 1;
      addGiven(sums, at.progress, at.withProgress, progress);
      if (meaning === 'in-progress' && !isCompleted) {
        sums[at.inProgress] = 1;
        if (progress < stalledBelow) {
          sums[at.stalled] = 1;
          // The least progress comes first.
          stalledPeople?.add(record, progress, progress);
        }
        if (progress < stalledBelow / 100) sums[at.stalledAsFraction] = 1;
      }
      if (readPerson && !readPerson(record, into)) sums[at.withoutPerson] = 1;
      return true;
    },
    finalizeSums(sums) {
      if (!scale.isFraction) return;
      sums[at.progress] = (sums[at.progress] ?? 0) * 100;
      sums[at.stalled] = sums[at.stalledAsFraction] ?? 0;
    },
    assumptionHolds: () => asFractions === scale.isFraction,
    finish: (total) => ({
      people: stalledPeople && stalledPeopleIn(stalledPeople, total.sum(at.stalled), scale.isFraction),
      notes: [
        ...factIfAny('progress-came-as-fractions', scale.isFraction ? total.sum(at.withProgress) : 0),
        ...factIfAny('no-person-named', total.sum(at.withoutPerson)),
      ],
    }),
  };
}

/**
 * The people with the least progress on tracks that are in progress.
 *
 * @param rows how many are stalled in all
 * @param isFraction true where progress turned out to be a fraction of 1: then fewer of the listed are stalled
 */
function stalledPeopleIn(list: PeopleList, rows: number, isFraction: boolean): PeopleToLookAt {
  const { why, listed } = list.finish('stalled');
  if (!isFraction) return { why, rows, listed };
  const inPercent = listed.flatMap((person) =>
    person.value?.kind === 'amount'
      ? [{ ...person, value: { ...person.value, amount: person.value.amount * 100 } }]
      : [],
  );
  return { why, rows, listed: inPercent.slice(0, rows) };
}
