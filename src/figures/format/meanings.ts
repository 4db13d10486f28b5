import type { ReportName } from '../../catalogue/index.js';

/** What one figure means. The term is the figure's label in the summary. */
export interface Meaning {
  readonly term: string;
  readonly sentence: string;
}

/** What holds for the figures of every report. */
export const meaningsForAll: readonly Meaning[] = [
  {
    term: 'Changes',
    sentence:
      'Figures of a period are compared with the period before: counts in percent (below five in numbers), rates in points. By assigned date, the earlier one is counted at equal age: as its dates say it stood when it was as long over. Figures of now, such as what is overdue, are compared with the last run.',
  },
  {
    term: 'Gaps',
    sentence:
      'Values that are missing or cannot be read are left out of the figure and counted below it. A status that is not known stays as it is and is shown.',
  },
];

/** What the figures mean, report by report. `docs/figures.md` repeats it, and a test compares the two. */
export const meanings: Readonly<Record<ReportName, readonly Meaning[]>> = {
  assignments: [
    { term: 'Assignments', sentence: 'All rows of the answer.' },
    { term: 'Completed', sentence: 'It has a completion date or a completed status.' },
    { term: 'Completion rate', sentence: 'Completed, out of all.' },
    {
      term: 'Completed on time',
      sentence: 'Completed at or before the due date, out of those whose both dates are known.',
    },
    { term: 'Completed late', sentence: 'Completed after the due date.' },
    {
      term: 'Overdue now',
      sentence:
        "Not completed and due before now. A due date without a time ends with its day, in the asker's time zone.",
    },
    {
      term: 'Due in the next seven days',
      sentence: 'Not completed, and due between now and seven days from now.',
    },
    { term: 'Not started', sentence: 'Its status says so, and it is not completed.' },
    {
      term: 'Median days to complete',
      sentence:
        'From assigned to completed in whole days: half took as long or less, half as long or more. A row that was completed before it was assigned is left out.',
    },
    {
      term: 'Completions entered by hand',
      sentence:
        'Completed ones that somebody marked complete for the learner. They count among the completed too.',
    },
    { term: 'People', sentence: 'How many different people these assignments belong to.' },
    {
      term: 'Median days overdue',
      sentence:
        'Whole days since the due date: half are overdue for as long or less, half for as long or more.',
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
    { term: 'Track enrolments', sentence: 'All rows of the answer: a learner and a track each.' },
    {
      term: 'Started',
      sentence:
        'In progress, failed or completed by its status, or with any progress, or with a completion date.',
    },
    { term: 'Completed', sentence: 'It has a completion date or a completed status.' },
    { term: 'Completion rate', sentence: 'Completed, out of all.' },
    {
      term: 'Average progress',
      sentence:
        'The mean of all progress that could be read. Where none is above 1 and some lies between 0 and 1, progress is taken as a fraction and shown in percent.',
    },
    { term: 'People', sentence: 'How many different people these enrolments belong to.' },
    { term: 'In progress', sentence: 'Its status says so, and it is not completed.' },
    { term: 'Stalled (below 50%)', sentence: 'In progress below 50%.' },
  ],
  completions: [
    { term: 'Completions', sentence: 'All rows of the answer.' },
    { term: 'People', sentence: 'How many different people completed something.' },
    { term: 'Completions a day', sentence: 'Completions, divided by the calendar days of the range.' },
  ],
  assessments: [
    { term: 'Results', sentence: 'All rows of the answer: a person and an assessment each.' },
    { term: 'People', sentence: 'How many different people have these results.' },
    { term: 'Pass rate', sentence: 'Passed, out of passed and failed together.' },
    { term: 'Average score', sentence: 'The mean of all scores that could be read.' },
    {
      term: 'Median score',
      sentence:
        'Half of the scores are as high or lower, half as high or higher. Scores count to a tenth of a point, those from -1 to 1 to a thousandth.',
    },
    {
      term: 'Attempts per person',
      sentence: 'All attempts, divided by how many different people there are.',
    },
    { term: 'Waiting for grading', sentence: 'Handed in, and neither passed nor failed, by its status.' },
  ],
  engagement: [
    {
      term: 'Active people',
      sentence:
        'Any of sessions, views, seconds viewed or assignments completed is above zero. A person in several rows counts once.',
    },
    {
      term: 'Inactive people',
      sentence:
        'None of sessions, views, seconds viewed and assignments completed is above zero in any of the rows that count.',
    },
    { term: 'Share active', sentence: 'Active people, out of all people in the answer.' },
    { term: 'Learning time', sentence: 'The seconds viewed, of everybody together.' },
    { term: 'Sessions', sentence: 'The sessions of everybody together.' },
    {
      term: 'Assignments completed',
      sentence: 'The assignments that people completed. Tracks are counted apart.',
    },
    { term: 'Tracks completed', sentence: 'The tracks that people completed.' },
    {
      term: 'Average rating',
      sentence: "Each person's average counts as often as that person rated.",
    },
  ],
  workshops: [
    { term: 'Sessions', sentence: 'All rows of the answer: one date of one workshop each.' },
    {
      term: 'Free seats',
      sentence: 'Seats that are offered and not registered, of sessions with free seats.',
    },
    {
      term: 'Seats filled',
      sentence:
        'Registered seats, out of offered seats. A session that lacks either number, or offers no seat, is left out of both.',
    },
    { term: 'Attendance', sentence: 'Who came, out of who came and who stayed away.' },
    { term: 'No-shows', sentence: 'Who stayed away, out of who came and who stayed away.' },
    { term: 'Waiting', sentence: 'People on waitlists.' },
    { term: 'Cancelled registrations', sentence: 'Registrations that were taken back.' },
  ],
};
