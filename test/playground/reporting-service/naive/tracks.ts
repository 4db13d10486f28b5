import { find, iso, learnerValues, otherPersonValues } from './people.js';
import type { NaiveRow } from './rows.js';
import type { Happening, Tables } from './tables.js';

export function trackRows(t: Tables, now: number): NaiveRow[] {
  const rows: NaiveRow[] = [];
  for (const enrolled of t.events) {
    if (enrolled.kind !== 'track_enrolled' || enrolled.at > now) continue;
    const learner = find(t.people, enrolled.person);
    const track = find(t.contents, enrolled.track);
    if (!learner || !track) continue;
    let last = enrolled;
    let done: Happening | undefined;
    let begun = false;
    const finished = new Set<number | null>();
    for (const event of t.events) {
      if (event.at > now || event.person !== enrolled.person || event.track !== enrolled.track) continue;
      if (event.at > last.at || (event.at === last.at && event.id > last.id)) last = event;
      if (event.kind === 'track_completed') done = event;
      if (event.kind === 'track_started' || event.kind === 'content_completed') begun = true;
      if (event.kind === 'content_completed') finished.add(event.content);
    }
    const parts = t.parts.filter(({ whole }) => whole === track.id);
    const share = parts.filter(({ part }) => finished.has(part)).length / parts.length;
    const journey = find(t.contents, enrolled.journey);
    const completion = done ? [done.at, done.id] : [];
    rows.push({
      values: {
        ...learnerValues(t, learner, now),
        ...otherPersonValues(t, 'manual_completed_by', find(t.people, done?.by_person), now),
        track_title: track.title,
        track_status: done ? 'completed' : begun ? 'in_progress' : 'not_started',
        track_progress: done ? 100 : parts.length > 0 ? Math.floor(100 * share) : 0,
        track_completed_date: iso(done?.at),
        track_id: track.public_id,
        containing_journey: journey?.title ?? null,
        containing_journey_id: journey?.public_id ?? null,
      },
      dates: {
        updated_date: last.at,
        assigned_date: enrolled.at,
        completed_date: done?.at ?? null,
        track_completed_date: done?.at ?? null,
        created_at: learner.created_at,
      },
      order: {
        updated_date: [last.at, last.id],
        assigned_date: [enrolled.at, enrolled.id],
        completed_date: completion,
        track_completed_date: completion,
        created_at: [learner.created_at, learner.id, enrolled.at, enrolled.id],
      },
      learner,
      content: track,
    });
  }
  return rows;
}
