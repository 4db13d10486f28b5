import type { ReportName } from '../../catalogue/index.js';

/** The meaning of one figure. The term is its label in the summary. */
interface Meaning {
  readonly term: string;
  readonly sentence: string;
}

export const meaningsForAll = listOf({
  Changes:
    'Figures of a period are compared with the period before: counts in percent (from fewer than ten in numbers, above tenfold as a multiple), shares in points (of fewer than 20 in counts). By assigned date, the earlier period is counted at the same age: as it stood when it had been over for as long. Figures of now, such as what is overdue, are compared with the last run.',
  Gaps: 'A figure leaves out values that are missing or cannot be read, and a note counts them. An unknown status is shown as it is.',
});

/** The meaning of each figure, by report. `docs/figures.md` repeats them, and a test compares the two. */
export const meanings: Readonly<Record<ReportName, readonly Meaning[]>> = {
  assignments: listOf({
    Assignments: 'All rows of the answer.',
    Completed: 'Rows with a completion date or a completed status.',
    'Completion rate': 'Completed rows out of all rows.',
    'Completed on time':
      'Completed by the due date, out of the rows that are overdue or completed. Completed rows without both dates are left out.',
    'Completed late': 'Completed after the due date.',
    'Overdue now':
      "Not completed, and the due date has passed. A due date without a time ends with its day, in the asker's time zone.",
    'Due in the next seven days': 'Not completed, and due between now and seven days from now.',
    'Not started': 'Rows whose status says so and that are not completed.',
    'Median days to complete':
      'Whole days from assigned until half of the rows are completed, by Kaplan and Meier: an open row counts for as long as it is open. “Not reached”: more than half are still open. Rows completed before they were assigned are left out.',
    'Completions entered by hand':
      'Completions that somebody entered for the learner. They count as completed too.',
    People: 'How many different people these assignments belong to.',
    'Median days overdue':
      'Whole days since the due date. Half of the rows are overdue for this long or less.',
    'Overdue for more than 30 days': 'Overdue now, and due more than 30 whole days ago.',
    Due: 'Not completed, and due in the range. A due date without a time counts on its day, in every time zone.',
    'Due within 24 hours':
      'Not completed, and due between now and 24 hours from now. A due date without a time counts on its day.',
    'Already overdue': 'Due in the range, and overdue now.',
  }),
  tracks: listOf({
    'Track enrolments': 'All rows of the answer. Each row is one learner and one track.',
    Started:
      'Rows that are in progress, failed or completed by status, or that have progress or a completion date.',
    Completed: 'Rows with a completion date or a completed status.',
    'Completion rate': 'Completed rows out of all rows.',
    'Average progress':
      'The mean of all progress that could be read. If all of it lies between 0 and 1, it counts as fractions and is shown in percent.',
    'In progress': 'Rows whose status says so and that are not completed.',
    People: 'How many different people these enrolments belong to.',
    'Under 50% complete': 'In progress, with less than 50% progress.',
  }),
  completions: listOf({
    Completions: 'All rows of the answer.',
    People: 'How many different people completed something.',
    'Completions per day':
      'Completions divided by the calendar days of the range that have begun, today among them.',
  }),
  assessments: listOf({
    Results: 'All rows of the answer. Each row is one person and one assessment.',
    People: 'How many different people have these results.',
    'Pass rate': 'Passed results out of passed and failed ones.',
    'Average score': 'The mean of all scores that could be read.',
    'Median score':
      'Half of the scores are this high or lower. Scores count to a tenth of a point, scores from -1 to 1 to a thousandth.',
    'Attempts per person': 'All attempts divided by the people whose number of attempts is known.',
    'Waiting for grading': 'Results whose status says that they wait for grading.',
  }),
  engagement: listOf({
    'Active people':
      'People with any sessions, views, viewing time or completed assignments. A person in several rows counts once.',
    'Inactive people':
      'People without sessions, views, viewing time and completed assignments in the rows that count.',
    'Share active':
      'Active people out of those who had an account by the end of the period and are not suspended. With a filter on suspended people, they count too.',
    'Learning time': 'Total viewing time.',
    Sessions: 'Total number of sessions.',
    'Assignments completed': 'Total number of completed assignments, without tracks.',
    'Tracks completed': 'Total number of completed tracks.',
    'Average rating': "Each person's average counts as often as the person rated.",
  }),
  workshops: listOf({
    Sessions: 'All rows of the answer. Each row is one date of one workshop.',
    'Free seats': 'Offered seats that nobody has registered for, in sessions with free seats.',
    'Seats filled':
      'Registered seats out of offered seats, in sessions that were held: they have ended and were not cancelled. Sessions without a date, without both numbers or without seats are left out.',
    'Seats booked': 'The same for sessions that have not ended and are not cancelled.',
    Attendance:
      'People who came, out of all who came or stayed away. Sessions without both numbers are left out.',
    'No-shows':
      'People who stayed away, out of all who came or stayed away. Sessions without both numbers are left out.',
    Waiting: 'People on waitlists.',
    'Cancelled registrations': 'Registrations that were cancelled.',
  }),
};

function listOf(sentences: Readonly<Record<string, string>>): readonly Meaning[] {
  return Object.entries(sentences).map(([term, sentence]) => ({ term, sentence }));
}
