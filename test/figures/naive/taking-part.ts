import type { FiguresPlan } from '../../../src/figures/result.js';
import { isPast } from './assignments.js';
import type { NaiveFigures } from './figures.js';
import { dayIn, type Row } from './row.js';
import { countOf, given, isGiven, share, sumOf, total } from './values.js';

/** The rows of each person. Each row without a person counts as another person. */
export function rowsOfPeople(rows: readonly Row[]): readonly (readonly Row[])[] {
  const people = new Set(rows.map((row) => row.person() ?? row));
  return [...people].map((person) => rows.filter((row) => row === person || row.person() === person));
}

/** True for a row of an account that was there before the range ended, and is not suspended. */
export function isOfMember(row: Row, { range, zone, filtersSuspended }: FiguresPlan): boolean {
  if (filtersSuspended !== true && row.yesOrNo('suspended') === true) return false;
  const created = row.date('created_at');
  if (!created || !range) return true;
  const lastMoment = { ms: range.until * 1000 - 1, wholeDay: false };
  return created.wholeDay ? dayIn(zone, created) <= dayIn(zone, lastMoment) : created.ms <= lastMoment.ms;
}

/**
 * Active: any of sessions, views, seconds viewed, completions above zero, in any of a person's rows. The share is of those
 * with a row of a member.
 */
export function naiveEngagement(rows: readonly Row[], plan: FiguresPlan): NaiveFigures {
  const numbers = (flag: string) => rows.map((row) => row.number(flag));
  const all = rowsOfPeople(rows);
  const active = all.filter((own) =>
    ['sessions', 'views', 'seconds_viewed', 'assignments_completed'].some((flag) =>
      own.some((row) => (row.number(flag) ?? 0) > 0),
    ),
  );
  const isMember = (own: readonly Row[]) => own.some((row) => isOfMember(row, plan));
  const rated = rows.flatMap((row) => {
    const [ratings, mean] = [row.number('ratings'), row.number('ratings_average')];
    return ratings !== undefined && ratings > 0 && mean !== undefined ? [{ ratings, mean }] : [];
  });
  return {
    'active-people': { kind: 'count', count: active.length },
    ...(plan.states?.length === 1
      ? {}
      : { 'active-share': share(active.filter(isMember).length, all.filter(isMember).length) }),
    time: isGiven(numbers('seconds_viewed'))
      ? { kind: 'duration', seconds: sumOf(numbers('seconds_viewed')) }
      : { kind: 'unknown' },
    sessions: total(numbers('sessions')),
    'assignments-completed': total(numbers('assignments_completed')),
    'tracks-completed': total(numbers('tracks_completed')),
    'average-rating': {
      kind: 'average',
      sum: sumOf(rated.map(({ ratings, mean }) => ratings * mean)),
      over: sumOf(rated.map(({ ratings }) => ratings)),
      unit: 'rating',
    },
  };
}

export function isTrackCompleted(row: Row): boolean {
  return (
    row.date('track_completed_date') !== undefined ||
    ['completed', 'done', 'passed'].includes(row.status('track_status') ?? '')
  );
}

/** 100 where progress comes as fractions, else 1. */
export function progressScale(all: readonly Row[]): number {
  const plain = given(all.map((row) => row.number('track_progress')));
  const shown = given(all.map((row) => row.percent('track_progress')));
  // Fractions of 1: some lie between 0 and 1, none above, and none has a percent sign.
  const inPercent = shown.length > plain.length || shown.some((number) => number > 1);
  return !inPercent && shown.some((number) => number > 0 && number < 1) ? 100 : 1;
}

/** Stalled: in progress below 50%. */
export function naiveTracks(rows: readonly Row[], all: readonly Row[]): NaiveFigures {
  const status = (row: Row) => row.status('track_status') ?? '';
  const isCompleted = isTrackCompleted;
  const scale = progressScale(all);
  const progress = given(rows.map((row) => row.percent('track_progress'))).map((number) => number * scale);
  const completed = rows.filter(isCompleted);
  const running = rows.filter((row) => status(row) === 'in progress' && !isCompleted(row));
  return {
    enrolments: countOf(rows),
    started: countOf(
      rows.filter(
        (row) =>
          isCompleted(row) ||
          ['in progress', 'failed'].includes(status(row)) ||
          (row.percent('track_progress') ?? 0) > 0,
      ),
    ),
    completed: countOf(completed),
    'completion-rate': share(completed.length, rows.length),
    'average-progress': { kind: 'average', sum: sumOf(progress), over: progress.length, unit: 'percent' },
    'in-progress': countOf(running),
    stalled: countOf(running.filter((row) => (row.percent('track_progress') ?? 100) * scale < 50)),
  };
}

export function isCancelled(row: Row): boolean {
  return ['cancelled', 'canceled'].includes(row.status('workshop_status') ?? '');
}

/** A session has ended when its end has passed, or its start if no end is given; undefined without either. */
function hasEnded(row: Row, plan: FiguresPlan): boolean | undefined {
  const last = row.date('workshop_end_date') ?? row.date('workshop_start_date');
  return last && isPast(last, plan);
}

export function naiveWorkshops(rows: readonly Row[], plan: FiguresPlan): NaiveFigures {
  const numbers = (flag: string) => rows.map((row) => row.number(flag));
  const offering = rows.filter(
    (row) =>
      (row.number('offered_seats') ?? 0) > 0 &&
      row.number('registered_seats') !== undefined &&
      !isCancelled(row),
  );
  const seats = (sessions: readonly Row[]) =>
    share(
      sumOf(sessions.map((row) => row.number('registered_seats'))),
      sumOf(sessions.map((row) => row.number('offered_seats'))),
    );
  const known = rows.filter(
    (row) => row.number('total_attendees') !== undefined && row.number('total_absentees') !== undefined,
  );
  const attended = sumOf(known.map((row) => row.number('total_attendees')));
  const absent = sumOf(known.map((row) => row.number('total_absentees')));
  return {
    sessions: countOf(rows),
    'seats-filled': seats(offering.filter((row) => hasEnded(row, plan) === true)),
    'seats-booked': seats(offering.filter((row) => hasEnded(row, plan) === false)),
    attendance: share(attended, attended + absent),
    'no-shows': share(absent, attended + absent),
    waiting: total(numbers('total_waiting')),
    cancelled: total(numbers('canceled_registrations')),
  };
}
