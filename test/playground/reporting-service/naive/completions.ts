import { find, iso, learnerValues } from './people.js';
import type { NaiveRow } from './rows.js';
import type { Tables } from './tables.js';

export function completionRows(t: Tables, now: number): NaiveRow[] {
  const rows: NaiveRow[] = [];
  for (const completion of t.events) {
    if (completion.kind !== 'content_completed' || completion.at > now) continue;
    const learner = find(t.people, completion.person);
    const content = find(t.contents, completion.content);
    if (!learner || !content) continue;
    const track = find(t.contents, completion.track);
    const journey = find(t.contents, completion.journey);
    const assignment = find(t.assignments, completion.assignment);
    let trackDone: number | null = null;
    let given: [number, number] | undefined;
    let assignmentDone: number | null = null;
    for (const event of t.events) {
      if (event.person !== learner.id || event.at > now) continue;
      if (track && event.kind === 'track_completed' && event.track === track.id) trackDone = event.at;
      if (!assignment || event.assignment !== assignment.id) continue;
      if (event.kind === 'assigned') given = [event.at, event.id];
      if (event.kind === 'assignment_completed') assignmentDone = event.at;
    }
    const step = [completion.at, completion.id];
    rows.push({
      values: {
        ...learnerValues(t, learner, now),
        content: {
          id: content.public_id,
          title: content.title,
          type: content.type,
          minutes: content.minutes,
          archived: content.archived === 1,
          completed_at: iso(completion.at),
        },
        track: track
          ? {
              id: track.public_id,
              title: track.title,
              status: trackDone === null ? 'in_progress' : 'completed',
              completed_at: iso(trackDone),
            }
          : null,
        journey: journey ? { id: journey.public_id, title: journey.title } : null,
        assignment: assignment
          ? {
              id: assignment.public_id,
              status: assignmentDone === null ? 'in_progress' : 'completed',
              assigned_at: iso(given?.[0]),
              due_at: iso(assignment.due_at),
              completed_at: iso(assignmentDone),
              assigner_email: find(t.people, assignment.assigner)?.email ?? null,
            }
          : null,
        content_metadata: JSON.parse(content.metadata),
      },
      dates: {
        completed_date: completion.at,
        updated_date: completion.at,
        assigned_date: given?.[0] ?? null,
        created_at: learner.created_at,
      },
      order: {
        completed_date: step,
        updated_date: step,
        assigned_date: [...(given ?? []), ...step],
        created_at: [learner.created_at, learner.id, ...step],
      },
      learner,
      content,
      assignment,
    });
  }
  return rows;
}
