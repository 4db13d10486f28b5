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

/** A part of the sentence about the only row: values of fields, or a figure, with words before or after it. */
export type OnlyRowPart = (
  | { readonly flags: readonly string[]; readonly between?: string }
  /** The figure of one row is its value, in the unit that all rows have. */
  | { readonly figure: string }
) & {
  readonly before?: string;
  /** One and many, after a number. */
  readonly after?: readonly [one: string, many: string];
  /** Set for a status, which is said in lower case. */
  readonly isStatus?: true;
  readonly isLeftOutAtZero?: true;
  /** Set if it names the person of the row. */
  readonly isPerson?: true;
  /** Left out where one of these fields has a value. */
  readonly unless?: readonly string[];
};

const person: readonly OnlyRowPart[] = [
  { flags: ['first_name', 'last_name'], isPerson: true },
  { flags: ['email'], isPerson: true, unless: ['first_name', 'last_name'] },
];

const assignments: FindingRule = {
  figures: [{ id: 'completion-rate', words: 'completed', includes: ['completed', 'assignments'] }],
  keyFigures: ['overdue', 'due-soon', 'on-time', 'days-to-complete', 'not-started'],
  rows: 'assignments',
  onlyRow: [
    ...person,
    { flags: ['content_title'] },
    { flags: ['assignment_status'], isStatus: true, unless: ['completed_date'] },
    { flags: ['assigned_date'], before: 'assigned' },
    { flags: ['completed_date'], before: 'completed' },
    { flags: ['due_date'], before: 'due', unless: ['completed_date'] },
  ],
};

export const findings: Readonly<Record<ReportName, FindingRule>> = {
  assignments,
  tracks: {
    figures: [{ id: 'completion-rate', words: 'completed', includes: ['completed', 'enrolments'] }],
    keyFigures: ['average-progress', 'stalled', 'in-progress', 'started'],
    rows: 'enrolments',
    onlyRow: [
      ...person,
      { flags: ['track_title'] },
      { flags: ['track_status'], isStatus: true, unless: ['track_completed_date'] },
      { figure: 'average-progress', before: 'progress' },
      { flags: ['track_completed_date'], before: 'completed' },
    ],
  },
  completions: {
    figures: [{ id: 'completions' }],
    keyFigures: ['people', 'per-day'],
    rows: 'completions',
    onlyRow: [...person, { flags: ['content'] }],
  },
  assessments: {
    figures: [
      { id: 'pass-rate', words: 'passed' },
      { id: 'waiting', words: 'waiting for grading' },
    ],
    keyFigures: ['average-score', 'median-score', 'attempts-per-person', 'waiting'],
    rows: 'results',
    onlyRow: [
      ...person,
      { flags: ['assessment_title'] },
      { flags: ['assessment_status'], isStatus: true },
      { flags: ['assessment_score'], before: 'score' },
      { flags: ['assessment_attempts'], after: ['attempt', 'attempts'] },
    ],
  },
  engagement: {
    figures: [
      { id: 'active-share', words: 'active', includes: ['active-people'] },
      { id: 'active-people', words: ['person active', 'people active'] },
    ],
    keyFigures: ['time', 'assignments-completed', 'sessions', 'average-rating', 'tracks-completed'],
    onlyRow: [
      ...person,
      { flags: ['sessions'], after: ['session', 'sessions'] },
      { flags: ['views'], after: ['view', 'views'] },
      { figure: 'time', before: 'learning time' },
      {
        flags: ['assignments_completed'],
        after: ['assignment completed', 'assignments completed'],
        isLeftOutAtZero: true,
      },
      {
        flags: ['tracks_completed'],
        after: ['track completed', 'tracks completed'],
        isLeftOutAtZero: true,
      },
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
      { flags: ['workshop_title'] },
      { flags: ['workshop_start_date'], before: 'starts' },
      { flags: ['workshop_status'], isStatus: true },
      {
        flags: ['registered_seats', 'offered_seats'],
        between: ' of ',
        after: ['seat registered', 'seats registered'],
      },
      { flags: ['total_attendees'], after: ['person came', 'people came'], isLeftOutAtZero: true },
    ],
  },
};

/** Words for states behind a number of rows, where they are not the label: `5 of 12 with free seats`. */
export const stateWords: Readonly<Record<string, string>> = {
  'due-soon': 'due in the next seven days',
  'free-seats': 'with free seats',
  waitlist: 'with a waitlist',
};
