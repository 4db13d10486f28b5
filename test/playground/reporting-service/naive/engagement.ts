import { find, learnerValues } from './people.js';
import type { NaiveRow } from './rows.js';
import type { Tables } from './tables.js';

export function engagementRows(t: Tables, now: number, from: number, until: number): NaiveRow[] {
  const rows: NaiveRow[] = [];
  for (const learner of t.people) {
    if (learner.created_at > now) continue;
    const counts: Record<string, number> = {};
    let seconds = 0;
    let stars = 0;
    let pending = 0;
    let attended = 0;
    for (const event of t.events) {
      if (event.person !== learner.id || event.at > now) continue;
      if (event.kind === 'attended') {
        const start = find(t.instances, event.instance)?.starts_at ?? 0;
        if (start >= from && start < until) attended += 1;
      }
      if (event.at >= until) continue;
      if (event.kind === 'assigned') pending += 1;
      if (event.kind === 'assignment_completed') pending -= 1;
      if (event.at < from) continue;
      counts[event.kind] = (counts[event.kind] ?? 0) + 1;
      if (event.kind === 'viewed') seconds += event.amount ?? 0;
      if (event.kind === 'rated') stars += event.amount ?? 0;
    }
    const count = (kind: string) => counts[kind] ?? 0;
    rows.push({
      values: {
        ...learnerValues(t, learner, now),
        sessions: count('signed_in'),
        views: count('viewed'),
        seconds_viewed: seconds,
        assignments_completed: count('assignment_completed'),
        assignments_pending: pending,
        tracks_started: count('track_started'),
        tracks_completed: count('track_completed'),
        workshops_attended: attended,
        comments: count('commented'),
        likes: count('liked'),
        shares: count('shared'),
        ratings: count('rated'),
        ratings_average: count('rated') > 0 ? stars / count('rated') : null,
      },
      dates: {},
      order: { own: [learner.id] },
      learner,
    });
  }
  return rows;
}
