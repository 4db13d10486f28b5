import type { ReportName } from '../../catalogue/index.js';

/** The meaning of one figure. The term is its label in the summary. */
export interface Meaning {
  readonly term: string;
  readonly sentence: string;
}

/** Meanings that are the same for all reports. */
export const meaningsForAll: readonly Meaning[] = [
  {
    term: 'Changes',
    sentence:
      'Figures of a period are compared with the period before: counts in percent (from fewer than ten in numbers, above tenfold as a multiple), shares in points (of fewer than 20 in counts). By assigned date, the earlier period is counted at the same age: as it stood when it had been over for as long. Figures of now, such as what is overdue, are compared with the last run.',
  },
  {
    term: 'Gaps',
    sentence:
      'A figure leaves out values that are missing or cannot be read, and a note counts them. An unknown status is shown as it is.',
  },
];

/** The meaning of each figure, by report. `docs/figures.md` repeats them, and a test compares the two. */
export const meanings: Readonly<Record<ReportName, readonly Meaning[]>> = {
  assignments: [
    { term: 'Assignments', sentence: 'All rows of the answer.' },
    { term: 'Completed', sentence: 'Rows with a completion date or a completed status.' },
    { term: 'Completion rate', sentence: 'Completed rows out of all rows.' },
    {
      term: 'Completed on time',
      sentence:
        'Completed by the due date, out of the rows that are overdue or completed. Completed rows without both dates are left out.',
    },
    { term: 'Completed late', sentence: 'Completed after the due date.' },
    {
      term: 'Overdue now',
      sentence:
        "Not completed, and the due date has passed. A due date without a time ends with its day, in the asker's time zone.",
    },
    {
      term: 'Due in the next seven days',
      sentence: 'Not completed, and due between now and seven days from now.',
    },
    { term: 'Not started', sentence: 'Rows whose status says so and that are not completed.' },
    {
      term: 'Median days to complete',
      sentence:
        'Whole days from assigned until half of the rows are completed, by Kaplan and Meier: an open row counts for as long as it is open. “Not reached”: more than half are still open. Rows completed before they were assigned are left out.',
    },
    {
      term: 'Completions entered by hand',
      sentence: 'Completions that somebody entered for the learner. They count as completed too.',
    },
    { term: 'People', sentence: 'How many different people these assignments belong to.' },
    {
      term: 'Median days overdue',
      sentence: 'Whole days since the due date. Half of the rows are overdue for this long or less.',
    },
    { term: 'Overdue for more than 30 days', sentence: 'Overdue now, and due more than 30 whole days ago.' },
    {
      term: 'Due',
      sentence:
        'Not completed, and due in the range. A due date without a time counts on its day, in every time zone.',
    },
    {
      term: 'Due within 24 hours',
      sentence:
        'Not completed, and due between now and 24 hours from now. A due date without a time counts on its day.',
    },
    { term: 'Already overdue', sentence: 'Due in the range, and overdue now.' },
  ],
  tracks: [
    { term: 'Track enrolments', sentence: 'All rows of the answer. Each row is one learner and one track.' },
    {
      term: 'Started',
      sentence:
        'Rows that are in progress, failed or completed by status, or that have progress or a completion date.',
    },
    { term: 'Completed', sentence: 'Rows with a completion date or a completed status.' },
    { term: 'Completion rate', sentence: 'Completed rows out of all rows.' },
    {
      term: 'Average progress',
      sentence:
        'The mean of all progress that could be read. If all of it lies between 0 and 1, it counts as fractions and is shown in percent.',
    },
    { term: 'In progress', sentence: 'Rows whose status says so and that are not completed.' },
    { term: 'People', sentence: 'How many different people these enrolments belong to.' },
    { term: 'Under 50% complete', sentence: 'In progress, with less than 50% progress.' },
  ],
  completions: [
    { term: 'Completions', sentence: 'All rows of the answer.' },
    { term: 'People', sentence: 'How many different people completed something.' },
    {
      term: 'Completions per day',
      sentence: 'Completions divided by the calendar days of the range that have begun, today among them.',
    },
  ],
  assessments: [
    { term: 'Results', sentence: 'All rows of the answer. Each row is one person and one assessment.' },
    { term: 'People', sentence: 'How many different people have these results.' },
    { term: 'Pass rate', sentence: 'Passed results out of passed and failed ones.' },
    { term: 'Average score', sentence: 'The mean of all scores that could be read.' },
    {
      term: 'Median score',
      sentence:
        'Half of the scores are this high or lower. Scores count to a tenth of a point, scores from -1 to 1 to a thousandth.',
    },
    {
      term: 'Attempts per person',
      sentence: 'All attempts divided by the people whose number of attempts is known.',
    },
    { term: 'Waiting for grading', sentence: 'Results whose status says that they wait for grading.' },
  ],
  engagement: [
    {
      term: 'Active people',
      sentence:
        'People with any sessions, views, viewing time or completed assignments. A person in several rows counts once.',
    },
    {
      term: 'Inactive people',
      sentence:
        'People without sessions, views, viewing time and completed assignments in the rows that count.',
    },
    {
      term: 'Share active',
      sentence:
        'Active people out of those who had an account by the end of the period and are not suspended. With a filter on suspended people, they count too.',
    },
    { term: 'Learning time', sentence: 'Total viewing time.' },
    { term: 'Sessions', sentence: 'Total number of sessions.' },
    {
      term: 'Assignments completed',
      sentence: 'Total number of completed assignments, without tracks.',
    },
    { term: 'Tracks completed', sentence: 'Total number of completed tracks.' },
    {
      term: 'Average rating',
      sentence: "Each person's average counts as often as the person rated.",
    },
  ],
  workshops: [
    { term: 'Sessions', sentence: 'All rows of the answer. Each row is one date of one workshop.' },
    {
      term: 'Free seats',
      sentence: 'Offered seats that nobody has registered for, in sessions with free seats.',
    },
    {
      term: 'Seats filled',
      sentence:
        'Registered seats out of offered seats, in sessions that were held: they have ended and were not cancelled. Sessions without a date, without both numbers or without seats are left out.',
    },
    {
      term: 'Seats booked',
      sentence: 'The same for sessions that have not ended and are not cancelled.',
    },
    {
      term: 'Attendance',
      sentence:
        'People who came, out of all who came or stayed away. Sessions without both numbers are left out.',
    },
    {
      term: 'No-shows',
      sentence:
        'People who stayed away, out of all who came or stayed away. Sessions without both numbers are left out.',
    },
    { term: 'Waiting', sentence: 'People on waitlists.' },
    { term: 'Cancelled registrations', sentence: 'Registrations that were cancelled.' },
  ],
};
