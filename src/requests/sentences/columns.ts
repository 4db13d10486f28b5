import { allReports } from '../../catalogue/index.js';
import type { Fact } from './lexicon.js';
import { keysOf, type Word } from './words.js';

/** Words for columns that are not their labels in the catalogue. For each, the fields that could be meant. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  name: ['first_name last_name'],
  'full name': ['first_name last_name'],
  mail: ['email'],
  'email address': ['email'],
  'e mail': ['email'],
  'mail address': ['email'],
  manager: ['manager_email'],
  'line manager': ['manager_email'],
  'manager name': ['manager_email'],
  'update date': ['updated_date'],
  'created date': ['created_at'],
  'creation date': ['created_at'],
  deadline: ['due_date'],
  'assignment date': ['assigned_date'],
  'completed date': ['completed_date', 'track_completed_date', 'assessment_completed_date'],
  'completion date': ['completed_date', 'track_completed_date', 'assessment_completed_date'],
  'date of completion': ['completed_date', 'track_completed_date', 'assessment_completed_date'],
  course: ['content_title', 'content'],
  training: ['content_title', 'content'],
  title: ['content_title', 'track_title', 'assessment_title', 'workshop_title', 'content'],
  track: ['track_title', 'track', 'containing_track'],
  assessment: ['assessment_title'],
  test: ['assessment_title'],
  workshop: ['workshop_title'],
  status: ['assignment_status', 'track_status', 'assessment_status', 'workshop_status'],
  progress: ['track_progress'],
  score: ['assessment_score'],
  result: ['assessment_score'],
  attempt: ['assessment_attempts'],
  office: ['locations'],
  'last log in': ['last_login'],
  'hire date': ['hired_on'],
  'start date': ['workshop_start_date', 'hired_on'],
  'end date': ['workshop_end_date'],
  host: ['host_name'],
  trainer: ['host_name'],
  time: ['seconds_viewed'],
  'time spent': ['seconds_viewed'],
  'learning time': ['seconds_viewed'],
  attendance: ['total_attendees'],
  attendee: ['total_attendees'],
};

/** Labels that say nothing about a column in a sentence: “Assigned” is a state too. */
const labelsLeftOut = /^(?:assigned|due|completed|updated|started|starts|ends|waiting|archived|absent)$/;

let columnsByWords: ReadonlyMap<string, readonly string[]> | undefined;

/** Made for the first sentence that needs it. */
function knownColumns(): ReadonlyMap<string, readonly string[]> {
  if (columnsByWords) return columnsByWords;
  const found = new Map<string, readonly string[]>();
  const add = (text: string, flags: readonly string[]) => {
    const key = keysOf(text).map(singular).join(' ');
    if (!labelsLeftOut.test(key)) found.set(key, [...new Set([...(found.get(key) ?? []), ...flags])]);
  };
  for (const [words, flags] of Object.entries(synonyms)) add(words, flags);
  for (const { flag, label } of allReports.flatMap(({ fields }) => fields)) {
    add(label, [flag]);
    add(flag.replaceAll('_', ' '), [flag]);
  }
  columnsByWords = found;
  return found;
}

function singular(key: string): string {
  if (/(?:ss|us)$/.test(key)) return key;
  return key.replace(/(?:ses)$/, 's').replace(/([^s])s$/, '$1');
}

const articles = /^(?:the|a|an|their|its|his|her|columns?|fields?)$/;
const openings =
  /^(?:with|including|include|incl|showing|show|plus|columns?|fields?|listing|containing|along)$/;
const maxColumnWords = 3;

/** “People with training overdue” asks for no column, “with the training” does. */
const ambiguous =
  /^(?:assignments?|completions?|contents?|journeys?|courses?|trainings?|tracks?|tests?|assessments?|workshops?|time|status|results?|teams?|groups?|departments?|locations?|offices?|titles?)$/;

/** `with their scores and emails`, `columns name, due date and manager`: nothing but columns after the word. */
export function columnsAt(
  words: readonly Word[],
  start: number,
  endsAt: (at: number) => boolean,
): { readonly length: number; readonly facts: readonly Fact[] } | undefined {
  const opening = words[start]?.key ?? '';
  if (words[start]?.kind !== 'word') return undefined;
  if (!openings.test(opening)) return columnsBeforeOf(words, start);
  // “With a due date” says which ones.
  if (opening === 'with' && /^an?$/.test(words[start + 1]?.key ?? '')) return undefined;
  const { columns, end, hasArticle, clear } = columnListAt(words, start + 1);
  const isClear = hasArticle || clear > 0 || !/^(?:with|plus)$/.test(opening);
  // “With the department Sales” names a department, and “show views last month” asks for a report.
  const isList =
    /^(?:columns?|fields?)$/.test(opening) || /^(?:columns?|fields?)$/.test(words[end]?.key ?? '');
  const needsMore = /^(?:show|listing)$/.test(opening) && !isList;
  if (columns.length === 0 || needsMore || !isClear || !endsAt(end)) return undefined;
  const after = /^(?:columns?|fields?)$/.test(words[end]?.key ?? '') ? 1 : 0;
  return { length: end + after - start, facts: [{ kind: 'columns', columns }] };
}

/** `names and emails of people overdue` */
function columnsBeforeOf(words: readonly Word[], start: number): ReturnType<typeof columnsAt> {
  const { columns, end, clear } = columnListAt(words, start);
  if (columns.length < 2 || clear < columns.length || words[end]?.key !== 'of') return undefined;
  return { length: end + 1 - start, facts: [{ kind: 'columns', columns }] };
}

/** Columns with “and” or commas between them. `clear`: how many can be nothing else. */
function columnListAt(words: readonly Word[], start: number) {
  const columns: (readonly string[])[] = [];
  let [end, hasArticle, clear] = [start - 1, false, 0];
  for (let at = start; ; ) {
    for (; articles.test(words[at]?.key ?? ''); at += 1) hasArticle = true;
    const found = columnAt(words, at);
    if (!found) break;
    if (!ambiguous.test(words[at]?.key ?? '')) clear += 1;
    columns.push(found.flags);
    at += found.length;
    end = at;
    if (!/^(?:and|,|plus|&)$/.test(words[at]?.key ?? '')) break;
    while (/^(?:and|,|plus|&)$/.test(words[at]?.key ?? '')) at += 1;
  }
  return { columns, end, hasArticle, clear };
}

/** `sorted by completed date` */
export function sortAt(
  words: readonly Word[],
  start: number,
): { readonly length: number; readonly facts: readonly Fact[] } | undefined {
  const isSort = (at: number) => /^(?:sort|sorted|order|ordered)$/.test(words[at]?.key ?? '');
  const sortedBy = (by: number) => {
    const the = words[by + 1]?.key === 'the' ? 1 : 0;
    const column = words[by]?.key === 'by' ? columnAt(words, by + 1 + the) : undefined;
    const facts: readonly Fact[] = column
      ? [{ kind: 'sort', flags: column.flags.flatMap((flags) => flags.split(' ').reverse()) }]
      : [];
    return column && { length: by + 1 + the + column.length - start, facts };
  };
  if (isSort(start)) {
    const isLater = words.some((_, by) => by > start && sortedBy(by));
    return sortedBy(start + 1) ?? (isLater ? { length: 1, facts: [{ kind: 'filler' }] } : undefined);
  }
  // “Sort the completions by name”
  return words.slice(0, start).some((_, at) => isSort(at)) && !isSort(start - 1)
    ? sortedBy(start)
    : undefined;
}

function columnAt(words: readonly Word[], at: number) {
  for (let length = maxColumnWords; length > 0; length -= 1) {
    const typed = words.slice(at, at + length);
    if (typed.length < length || typed.some(({ kind }) => kind !== 'word')) continue;
    const flags = knownColumns().get(typed.map(({ key }) => singular(key)).join(' '));
    if (flags) return { length, flags };
  }
  return undefined;
}
