import { find, iso, learnerValues } from './people.js';
import type { NaiveRow } from './rows.js';
import type { Happening, Tables } from './tables.js';

export function assessmentRows(t: Tables, now: number): NaiveRow[] {
  const rows: NaiveRow[] = [];
  for (const opened of t.events) {
    if (opened.kind !== 'assessment_enrolled' || opened.at > now) continue;
    const learner = find(t.people, opened.person);
    const assessment = find(t.contents, opened.content);
    if (!learner || !assessment) continue;
    const steps: Happening[] = [];
    for (const event of t.events) {
      const step = ['assessment_started', 'assessment_submitted', 'assessment_graded'].includes(event.kind);
      if (step && event.at <= now && event.person === learner.id && event.content === assessment.id) {
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
