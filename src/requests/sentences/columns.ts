import { allReports } from '../../catalogue/index.js';
import { lazily, synonymsIn } from '../text-tables.js';
import { type Found, filler } from './facts.js';
import { keysOf, type Sentence } from './words.js';

/** Words for columns that are not their labels in the catalogue, and the fields that could be meant. */
const synonyms = `
  name, full name | first_name last_name
  mail, email address, e mail, mail address | email
  manager, line manager, manager name | manager_email
  update date | updated_date
  created date, creation date | created_at
  deadline | due_date
  assignment date | assigned_date
  completed date, completion date, date of completion | completed_date | track_completed_date | assessment_completed_date
  course, training | content_title | content
  title | content_title | track_title | assessment_title | workshop_title | content
  track | track_title | track | containing_track
  assessment, test | assessment_title
  workshop | workshop_title
  status | assignment_status | track_status | assessment_status | workshop_status
  progress | track_progress
  score, result | assessment_score
  attempt | assessment_attempts
  office | locations
  last log in | last_login
  hire date | hired_on
  start date | workshop_start_date | hired_on
  end date | workshop_end_date
  host, trainer | host_name
  time, time spent, learning time | seconds_viewed
  attendance, attendee | total_attendees`;

/** Labels that say nothing about a column in a sentence: “Assigned” is a state too. */
const labelsLeftOut = /^(?:assigned|due|completed|updated|started|starts|ends|waiting|archived|absent)$/;

const knownColumns = lazily(() => {
  const found = new Map<string, readonly string[]>();
  const add = (text: string, flags: readonly string[]) => {
    const key = keysOf(text).map(singular).join(' ');
    if (!labelsLeftOut.test(key)) found.set(key, [...new Set([...(found.get(key) ?? []), ...flags])]);
  };
  for (const [text, flags] of synonymsIn(synonyms)) add(text, flags);
  for (const { flag, label } of allReports.flatMap(({ fields }) => fields)) {
    add(label, [flag]);
    add(flag.replaceAll('_', ' '), [flag]);
  }
  return found;
});

function singular(key: string): string {
  if (/(?:ss|us)$/.test(key)) return key;
  return key.replace(/(?:ses)$/, 's').replace(/([^s])s$/, '$1');
}

const columnWords = 'column columns field fields';
const openings = `with including include incl showing show plus listing containing along ${columnWords}`;
const beforeColumn = `the a an their its his her ${columnWords}`;
const maxWordsBeforeColumn = 4;
const joints = 'and , plus';
const maxColumnWords = 3;

/** “People with training overdue” asks for no column, “with the training” does. */
const ambiguous =
  /^(?:time|status|(?:assignment|completion|content|journey|course|training|track|test|assessment|workshop|result|team|group|department|location|office|title)s?)$/;

/** `with their scores and emails`, `columns name, due date and manager`: nothing but columns after the word. */
export function columnsAt(
  sentence: Sentence,
  start: number,
  endsAt: (at: number) => boolean,
): Found | undefined {
  if (!sentence.is(start, openings)) return columnsBeforeOf(sentence, start);
  // “With a due date” says which ones.
  if (sentence.is(start, 'with') && sentence.is(start + 1, 'a an')) return undefined;
  const { columns, end, hasArticle, clear } = columnListAt(sentence, start + 1);
  const isClear = hasArticle || clear > 0 || !sentence.is(start, 'with plus');
  // “With the department Sales” names a department, and “show views last month” asks for a report.
  const after = sentence.is(end, columnWords) ? 1 : 0;
  const isList = sentence.is(start, columnWords) || after > 0;
  const needsMore = sentence.is(start, 'show listing') && !isList;
  if (columns.length === 0 || needsMore || !isClear || !endsAt(end)) return undefined;
  return { length: end + after - start, facts: [{ kind: 'columns', columns }] };
}

/** `names and emails of people overdue` */
function columnsBeforeOf(sentence: Sentence, start: number): Found | undefined {
  const { columns, end, clear } = columnListAt(sentence, start);
  if (columns.length < 2 || clear < columns.length || !sentence.is(end, 'of')) return undefined;
  return { length: end + 1 - start, facts: [{ kind: 'columns', columns }] };
}

/** Columns with “and” or commas between them. `clear`: how many can be nothing else. */
function columnListAt(sentence: Sentence, start: number) {
  const columns: (readonly string[])[] = [];
  let [end, hasArticle, clear] = [start - 1, false, 0];
  for (let at = start; ; ) {
    const last = at + maxWordsBeforeColumn;
    for (; at < last && sentence.is(at, beforeColumn); at += 1) hasArticle = true;
    const found = columnAt(sentence, at);
    if (!found) break;
    if (!ambiguous.test(sentence.key(at))) clear += 1;
    columns.push(found.flags);
    at += found.length;
    end = at;
    if (!sentence.is(at, joints)) break;
    while (sentence.is(at, joints)) at += 1;
  }
  return { columns, end, hasArticle, clear };
}

/** `sorted by completed date` */
export function sortAt(sentence: Sentence, start: number): Found | undefined {
  const { words } = sentence;
  const isSort = (at: number) => sentence.is(at, 'sort sorted order ordered');
  const sortedBy = (by: number): Found | undefined => {
    const at = sentence.is(by + 1, 'the') ? by + 2 : by + 1;
    const column = sentence.is(by, 'by') ? columnAt(sentence, at) : undefined;
    if (!column) return undefined;
    const flags = column.flags.flatMap((all) => all.split(' ').reverse());
    return { length: at + column.length - start, facts: [{ kind: 'sort', flags }] };
  };
  if (isSort(start)) {
    const isLater = words.some((_, by) => by > start && sortedBy(by));
    return sortedBy(start + 1) ?? (isLater ? { length: 1, facts: filler } : undefined);
  }
  // “Sort the completions by name”
  const sorted = sortedBy(start);
  const isSorted = sorted && !isSort(start - 1) && words.slice(0, start).some((_, at) => isSort(at));
  return isSorted ? sorted : undefined;
}

function columnAt({ words }: Sentence, at: number) {
  for (let length = maxColumnWords; length > 0; length -= 1) {
    const typed = words.slice(at, at + length);
    if (typed.length < length || typed.some(({ kind }) => kind !== 'word')) continue;
    const flags = knownColumns().get(typed.map(({ key }) => singular(key)).join(' '));
    if (flags) return { length, flags };
  }
  return undefined;
}
