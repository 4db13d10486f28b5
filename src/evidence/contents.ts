import { stringify } from 'csv-stringify/sync';
import type { Level } from '../access/levels.js';
import { hasLearners } from '../catalogue/index.js';
import { meanings, meaningsForAll } from '../figures/format/meanings.js';
import { formatCount, formatPlural, formatValue } from '../figures/format/values.js';
import { formatNote } from '../figures/summary/notes.js';
import { formatLeftOut, formatTitle, formatWhen } from '../figures/summary/request.js';
import { formatRequest } from '../requests/parse-request.js';
import { asksForOpen, filtersSuspended } from '../requests/request.js';
import { compact } from '../requests/text.js';
import type { ListedPeople } from '../runner/ports.js';
import type { ReportResult } from '../runner/run-report.js';
import type { textParts } from './parts.js';

/** Who made evidence, when and with what. */
export interface EvidenceFacts {
  /** A Slack user ID, and the address that Slack has for it. */
  readonly person: string;
  readonly address?: string | undefined;
  readonly level?: Level | undefined;
  /** The name of the ZIP. */
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  /** The version of Rollcall. */
  readonly version: string;
}

type WithFigures = ReportResult & { readonly figures: NonNullable<ReportResult['figures']> };

/** The texts of evidence, by the name of their part. */
export function textsOf(
  result: WithFigures,
  people: ListedPeople | undefined,
  facts: EvidenceFacts,
): Readonly<Record<(typeof textParts)[number], string>> {
  return {
    'README.txt': readme(result, people, facts),
    'request.json': `${JSON.stringify(requestOf(result, people, facts), undefined, 2)}\n`,
    'figures.csv': figuresOf(result),
    'exceptions.txt': `${exceptionsIn(result, people).join('\n')}\n`,
  };
}

/** For a program: what was asked, by whom, when and why, and what was sent to the Reporting Service. */
function requestOf(result: WithFigures, people: ListedPeople | undefined, facts: EvidenceFacts) {
  const {
    request,
    range,
    assigned,
    asker,
    scope,
    requestedAt,
    sent = [],
    rowCount,
    leavesOutPeople,
  } = result;
  return {
    format: 1,
    rollcall: facts.version,
    askedBy: { slackUser: facts.person, email: facts.address },
    level: facts.level,
    /** Whose rows could be read. */
    rowsOf: { all: 'everybody', team: 'their team', self: 'themselves' }[scope.rows],
    purpose: request.purpose,
    askedAt: new Date(requestedAt).toISOString(),
    madeAt: new Date(facts.madeAt).toISOString(),
    zone: asker.zone,
    command: `/report ${formatRequest(request)}`,
    report: request.report,
    range,
    assigned,
    rows: rowCount,
    people: people && (people.moreThan ? undefined : people.people),
    leavesOutPeople: leavesOutPeople === true,
    queries: sent.map(({ operation, range: asked, body }) => ({
      method: 'POST',
      path: ['/api/v1/reports', operation, ...(asked ? [asked.from, asked.until] : [])].join('/'),
      body,
    })),
  };
}

/** Each figure of the answer with its value and what it means. */
function figuresOf({ figures, report, asker, requestedAt }: WithFigures): string {
  const meant = new Map(meanings[report.name].map(({ term, sentence }) => [term, sentence]));
  const lines = figures.figures.map(({ id, label, value }) => [
    id,
    label,
    formatValue(value),
    meant.get(label) ?? '',
  ]);
  const general = meaningsForAll.map(({ term, sentence }) => ['', term, '', sentence]);
  const when = ['', 'As of', `${new Date(requestedAt).toISOString()} (${asker.zone})`, ''];
  const all = [['ID', 'Figure', 'Value', 'Definition'], ...lines, when, ...general];
  return `\uFEFF${stringify(all, { record_delimiter: 'windows', quoted_match: /[;\r\n]/ })}`;
}

/** What the rows leave out, and what is missing in them. It counts, and names nobody. */
function exceptionsIn(result: WithFigures, people: ListedPeople | undefined): readonly string[] {
  const { figures, request, scope, report, leavesOutPeople } = result;
  const { leftOut, notes, records, counted } = figures;
  const isWithoutSuspended =
    request.filters.some(({ member, entries }) => member === 'suspended' && entries.includes('false')) ||
    (asksForOpen(request) && !filtersSuspended(request));
  const suspended =
    people &&
    (isWithoutSuspended
      ? 'Suspended people: left out of the rows.'
      : `Suspended people: ${formatCount(people.suspended)} of the people in the rows.`);
  const noted = notes.map(formatNote);
  const left = leftOut ? formatLeftOut(leftOut) : leavesOutPeople && 'Some people are left out';
  return compact(
    { all: undefined, team: 'Limited to the team of the person who asked.', self: undefined }[scope.rows],
    scope.rows === 'self' && 'Limited to the records of the person who asked.',
    counted < records &&
      `Rows: ${formatCount(counted)} of the ${formatPlural(records, ['row', 'rows'])} that the Reporting Service gave. The request keeps the others out.`,
    suspended,
    people && `Rows that name nobody: ${formatCount(people.nameless)}.`,
    people?.moreThan && 'There are too many people to list, so people.csv is empty.',
    noted,
    report.dateField &&
      !noted.some((note) => /\bdate\b/.test(note)) &&
      'Rows without a date that a figure needs: none.',
    left
      ? `Left out of every answer by the operator: ${left.charAt(0).toLowerCase()}${left.slice(1)}.`
      : 'Left out of every answer by the operator: nobody.',
    !hasLearners(report) && 'This report has no learners, so there is no people.csv.',
  );
}

function readme(result: WithFigures, people: ListedPeople | undefined, facts: EvidenceFacts): string {
  const { request, requestedAt, asker, rowCount = 0 } = result;
  const count =
    people && !people.moreThan ? ` about ${formatPlural(people.people, ['person', 'people'])}` : '';
  const line = (name: string, text: string) => `${name.padEnd(10)} ${text}`;
  const lines: readonly (string | undefined)[] = [
    'EVIDENCE',
    '',
    line('What', `${formatTitle(result)}. ${formatWhen(result, { withPeople: true })}`),
    line('Rows', `${formatPlural(rowCount, ['row', 'rows'])}${count}`),
    line('Command', `/report ${formatRequest(request)}`),
    line('Asked by', `Slack user ${facts.person}${facts.address ? `, ${facts.address}` : ''}`),
    line('Why', request.purpose ?? 'not said'),
    line('Asked at', `${new Date(requestedAt).toISOString()} (zone of the dates: ${asker.zone})`),
    line('Made with', `Rollcall ${facts.version}`),
    '',
    'FILES',
    '',
    line('rows.csv', 'The rows, as the Reporting Service gave them.'),
    people && line('people.csv', 'Each person of the rows once, with the number of their rows.'),
    line('exceptions', 'exceptions.txt: what is left out or missing. It names nobody.'),
    line('figures', 'figures.csv: each figure with its value and its definition.'),
    line('request', 'request.json: the same as above, and the query, for a program.'),
    line('manifest', 'manifest.txt: the SHA-256 of each file. Its last line names an event of the record.'),
    line('event', 'event.json: that event. It has the SHA-256 of the manifest without its last line.'),
    line('chain', 'chain.txt: the hashes of the record up to that event, one event a line.'),
    '',
    'HOW TO CHECK IT',
    '',
    '1. Keep this ZIP as it is. Do not unpack and zip it again.',
    `2. Anybody who has Rollcall: npx rollcall verify ${facts.file}`,
    '   This finds every change, as long as nobody made all the hashes anew.',
    '3. The operator of the Rollcall that made it runs the same with its database and key. Then the record proves that nobody made the hashes anew: it holds this event and the SHA-256 of this ZIP.',
    '',
    'WHAT IT DOES NOT PROVE',
    '',
    'That the Reporting Service was right, and that the rows are still the same today.',
  ];
  return lines.flatMap((one) => (one === undefined ? [] : `${one}\n`)).join('');
}
