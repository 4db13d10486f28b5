import { find, iso, learnerValues, otherPersonValues } from './people.js';
import type { NaiveRow } from './rows.js';
import type { Happening, Tables } from './tables.js';

export function assignmentRows(t: Tables, now: number): NaiveRow[] {
  const rows: NaiveRow[] = [];
  for (const assignment of t.assignments) {
    let given: Happening | undefined;
    let begun: Happening | undefined;
    let done: Happening | undefined;
    let last: Happening | undefined;
    let finished: Happening | undefined;
    const content = find(t.contents, assignment.content);
    for (const event of t.events) {
      if (event.at > now || event.person !== assignment.person) continue;
      if (event.assignment === assignment.id && event.kind !== 'content_completed') {
        if (event.kind === 'assigned') given = event;
        if (event.kind === 'assignment_started') begun = event;
        if (event.kind === 'assignment_completed') done = event;
        if (!last || event.at > last.at || (event.at === last.at && event.id > last.id)) last = event;
      }
      const finishes =
        content?.type === 'track'
          ? event.kind === 'track_completed' && event.track === content.id
          : event.kind === 'content_completed' && event.content === assignment.content;
      if (finishes && (!finished || event.at >= finished.at)) finished = event;
    }
    const learner = find(t.people, assignment.person);
    if (!given || !last || !learner || !content) continue;
    const step = (event: Happening | undefined) => (event ? [event.at, event.id] : []);
    rows.push({
      values: {
        ...learnerValues(t, learner, now),
        ...otherPersonValues(t, 'assigner', find(t.people, assignment.assigner), now),
        ...otherPersonValues(t, 'manual_completed_by', find(t.people, done?.by_person), now),
        assignment_id: assignment.public_id,
        assignment_status: done ? 'completed' : begun ? 'in_progress' : 'assigned',
        assigned_date: iso(given.at),
        due_date: iso(assignment.due_at),
        completed_date: iso(done?.at),
        updated_date: iso(last.at),
        content_title: content.title,
        content_type: content.type,
        content_id: content.public_id,
        content_completed_on: iso(finished?.at),
        content_archived: content.archived === 1,
        content_metadata: JSON.parse(content.metadata),
      },
      dates: {
        assigned_date: given.at,
        completed_date: done?.at ?? null,
        updated_date: last.at,
        due_date: assignment.due_at,
        content_completed_on: finished?.at ?? null,
        created_at: learner.created_at,
      },
      order: {
        assigned_date: step(given),
        completed_date: step(done),
        updated_date: step(last),
        due_date: [assignment.due_at ?? 0, assignment.id],
        content_completed_on: [...step(finished), assignment.id],
        created_at: [learner.created_at, learner.id, ...step(given)],
      },
      learner,
      content,
      assignment,
    });
  }
  return rows;
}
