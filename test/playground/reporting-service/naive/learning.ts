import { eventsOf, find, iso, learnerValues, otherPersonValues } from './people.js';
import type { Happening, NaiveRow, Tables } from './tables.js';

export function assignmentRows(t: Tables, now: number): NaiveRow[] {
  const rows: NaiveRow[] = [];
  for (const assignment of t.assignments) {
    let given: Happening | undefined;
    let begun: Happening | undefined;
    let done: Happening | undefined;
    let last: Happening | undefined;
    let finished: Happening | undefined;
    const content = find(t.contents, assignment.content);
    for (const event of eventsOf(t, assignment.person)) {
      if (event.at > now) continue;
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
    for (const event of eventsOf(t, learner.id)) {
      if (event.at > now) continue;
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
    for (const event of eventsOf(t, learner.id)) {
      if (event.at > now || event.track !== enrolled.track) continue;
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

export function assessmentRows(t: Tables, now: number): NaiveRow[] {
  const rows: NaiveRow[] = [];
  for (const opened of t.events) {
    if (opened.kind !== 'assessment_enrolled' || opened.at > now) continue;
    const learner = find(t.people, opened.person);
    const assessment = find(t.contents, opened.content);
    if (!learner || !assessment) continue;
    const steps: Happening[] = [];
    for (const event of eventsOf(t, learner.id)) {
      const step = ['assessment_started', 'assessment_submitted', 'assessment_graded'].includes(event.kind);
      if (step && event.at <= now && event.content === assessment.id) {
        steps.push(event);
      }
    }
    steps.sort((a, b) => a.at - b.at || a.id - b.id);
    const last = steps.at(-1);
    const starts = steps.filter(({ kind }) => kind === 'assessment_started');
    const score = steps.filter(({ kind }) => kind === 'assessment_graded').at(-1)?.amount ?? null;
    const passed = (score ?? 0) >= (assessment.pass_mark ?? 0);
    const statuses: Record<string, string> = {
      assessment_started: 'in_progress',
      assessment_submitted: 'waiting_for_grading',
      assessment_graded: passed ? 'passed' : 'failed',
    };
    const track = find(t.contents, opened.track);
    const journey = find(t.contents, opened.journey);
    rows.push({
      values: {
        ...learnerValues(t, learner, now),
        assessment_title: assessment.title,
        assessment_status: last ? statuses[last.kind] : 'not_started',
        assessment_score: score,
        assessment_attempts: starts.length,
        assessment_started_date: iso(starts[0]?.at),
        assessment_completed_date: last?.kind === 'assessment_graded' ? iso(last.at) : null,
        assessment_id: assessment.public_id,
        containing_track: track?.title ?? null,
        containing_track_id: track?.public_id ?? null,
        containing_journey: journey?.title ?? null,
        containing_journey_id: journey?.public_id ?? null,
      },
      dates: {},
      order: { own: [opened.at, opened.id] },
      learner,
      content: assessment,
    });
  }
  return rows;
}
