import type { ReportName } from '../../catalogue/index.js';

export interface FindingFigure {
  readonly id: string;
  /** The words after the number, `active`; for a count in singular and plural. Absent if the title is enough. */
  readonly words?: string | readonly [one: string, many: string];
  /** Figures that the sentence covers too, because their numbers are part of this one. */
  readonly includes?: readonly string[];
}

/** Which figures of a report matter most. */
export interface FindingRule {
  /** The first of them that has a value is the finding. */
  readonly figures: readonly FindingFigure[];
  /** Figures beside the finding, the most important first. The others follow in the order of the report. */
  readonly keyFigures: readonly string[];
  /** Figures that repeat others, such as the rest of a rate. */
  readonly leftOut?: readonly string[];
  /** The figure that counts the rows of the answer. Its change stands beside the number of rows. */
  readonly rows?: string;
  /** The parts of the sentence about the only row of an answer, in order. */
  readonly onlyRow: readonly OnlyRowPart[];
}

/**
 * A part of the sentence about the only row, behind the name of its person. `{flag}` is the value of a field, and
 * `{=id}` that of a figure, which is in the unit that all rows have. `[one|many]` goes by the first value. The part is
 * left out where one of its values is missing.
 */
export type OnlyRowPart =
  | string
  | {
      readonly say: string;
      /** Left out where this field has a value. */
      readonly unless?: string;
      readonly isLeftOutAtZero?: true;
    };

const assignments: FindingRule = {
  figures: [{ id: 'completion-rate', words: 'completed', includes: ['completed', 'assignments'] }],
  keyFigures: ['overdue', 'due-soon', 'on-time', 'days-to-complete', 'not-started'],
  rows: 'assignments',
  onlyRow: [
    '{content_title}',
    { say: '{assignment_status}', unless: 'completed_date' },
    'assigned {assigned_date}',
    'completed {completed_date}',
    { say: 'due {due_date}', unless: 'completed_date' },
  ],
};

export const findings: Readonly<Record<ReportName, FindingRule>> = {
  assignments,
  tracks: {
    figures: [{ id: 'completion-rate', words: 'completed', includes: ['completed', 'enrolments'] }],
    keyFigures: ['average-progress', 'stalled', 'in-progress', 'started'],
    rows: 'enrolments',
    onlyRow: [
      '{track_title}',
      { say: '{track_status}', unless: 'track_completed_date' },
      'progress {=average-progress}',
      'completed {track_completed_date}',
    ],
  },
  completions: {
    figures: [{ id: 'completions' }],
    keyFigures: ['people', 'per-day'],
    rows: 'completions',
    onlyRow: ['{content}'],
  },
  assessments: {
    figures: [
      { id: 'pass-rate', words: 'passed' },
      { id: 'waiting', words: 'waiting for grading' },
    ],
    keyFigures: ['average-score', 'median-score', 'attempts-per-person', 'waiting'],
    rows: 'results',
    onlyRow: [
      '{assessment_title}',
      '{assessment_status}',
      'score {assessment_score}',
      '{assessment_attempts} [attempt|attempts]',
    ],
  },
  engagement: {
    figures: [
      { id: 'active-share', words: 'active', includes: ['active-people'] },
      { id: 'active-people', words: ['person active', 'people active'] },
    ],
    keyFigures: ['time', 'assignments-completed', 'sessions', 'average-rating', 'tracks-completed'],
    onlyRow: [
      '{sessions} [session|sessions]',
      '{views} [view|views]',
      'learning time {=time}',
      { say: '{assignments_completed} [assignment|assignments] completed', isLeftOutAtZero: true },
      { say: '{tracks_completed} [track|tracks] completed', isLeftOutAtZero: true },
    ],
  },
  workshops: {
    figures: [
      { id: 'seats-filled', words: 'of seats filled' },
      { id: 'seats-booked', words: 'of seats booked' },
    ],
    keyFigures: ['attendance', 'seats-booked', 'waiting', 'cancelled'],
    leftOut: ['no-shows'],
    rows: 'sessions',
    onlyRow: [
      '{workshop_title}',
      'starts {workshop_start_date}',
      '{workshop_status}',
      '{registered_seats} of {offered_seats} seats registered',
      { say: '{registered_seats} [seat|seats] registered', unless: 'offered_seats' },
      { say: '{total_attendees} [person|people] came', isLeftOutAtZero: true },
    ],
  },
};

/** Words for states behind a number of rows, where they are not the label: `5 of 12 with free seats`. */
export const stateWords: Readonly<Record<string, string>> = {
  'due-soon': 'due in the next seven days',
  'free-seats': 'with free seats',
  waitlist: 'with a waitlist',
};
