import type { ModalView } from '@slack/types';
import { ok, type Result, refused } from '../../errors/failure.js';
import { formatRequest } from '../../requests/parse-request.js';
import { asLine, linesIn, parseScorecard, scorecardOf } from '../../requests/parse-scorecard.js';
import { problemMessageText } from '../../requests/problem-messages.js';
import { maxScorecardLines, type ReportRequest, requestsIn } from '../../requests/request.js';
import { displayText } from '../../requests/text.js';
import type { SavedReport } from '../../store/saved/saved-reports.js';
import type { ListenerParts } from '../answers/context.js';
import { maySee, resolveConversation } from '../context/request-context.js';
import { form, inputs, linesInput, nameInput } from '../forms/forms.js';
import { selectInput } from '../forms/inputs.js';
import { code, richTextLines, section } from '../messages/blocks.js';
import { answerActions } from '../messages/summary.js';
import { findItem, mayChange } from '../saved/items.js';
import {
  nameTaken,
  parseSavedName,
  rangeRefusal,
  saveReport,
  savingRefusal,
} from '../saved/saved-reports.js';
import { textOfLines, withSavedReports } from '../saved/scorecards.js';
import { answerExpired, answerToReuse, findAnswerOfForm } from './find-answer.js';
import { opens, type Route } from './router.js';
import { fromInput, rejectForm, submission, type ValidateForm } from './submission.js';

const scorecardInputs = {
  /** The saved scorecard that a line is added to, or `new`. */
  scorecard: 'scorecard',
} as const;

const scorecardViews = {
  /** Its private metadata is the request's ID and the channel of the answer. */
  addToScorecard: 'add_to_scorecard',
  /** Its private metadata is the ID and the revision of the saved scorecard. */
  editScorecard: 'edit_scorecard',
} as const;

const newScorecard = 'new';
const maxListed = 50;

const changedMeanwhile =
  'Somebody else changed this scorecard after you opened the form. Close this form and open it again.';

/** The scorecards of a channel that a person may change. */
async function scorecardsIn(
  channel: string,
  user: string,
  parts: ListenerParts,
): Promise<readonly SavedReport[]> {
  const saved = await parts.store.savedReports.inChannels([channel], 200);
  const mine: SavedReport[] = [];
  for (const one of saved) if (one.request.scorecard && (await mayChange(one, user, parts))) mine.push(one);
  return mine.slice(0, maxListed);
}

function addForm(
  requestId: string,
  channel: string,
  command: string,
  scorecards: readonly SavedReport[],
): ModalView {
  const choices = [
    { value: newScorecard, text: 'A new scorecard' },
    ...scorecards.map(({ id, name }) => ({ value: id, text: displayText(name, 60) })),
  ];
  return form(scorecardViews.addToScorecard, `${requestId} ${channel}`, 'Add to a scorecard', 'Add', [
    section(
      `A scorecard answers up to ${maxScorecardLines} requests in one message, with a line for each. Anyone who can run reports here can run it by its name.`,
    ),
    richTextLines([code(command, 500)]),
    selectInput(scorecardInputs.scorecard, 'Scorecard', choices, scorecards[0]?.id ?? newScorecard),
    {
      ...nameInput(inputs.name),
      optional: true,
      label: { type: 'plain_text', text: 'Name of a new scorecard' },
    },
  ]);
}

/** Add to a scorecard: adds the request of an answer as a line, or begins a scorecard with it. */
const add: ValidateForm = async (submitted, parts) => {
  const { asker, metadata, text, reply, context } = submitted;
  const [requestId = '', channel = ''] = metadata;
  const use = { channel, asker: asker.id };
  if (!(await maySee(channel, asker.id, parts))) return rejectForm(answerExpired);
  const entry = await answerToReuse('save', requestId, use, parts, findAnswerOfForm);
  if (!entry.ok) return rejectForm(entry.refusal);
  const line = { request: asLine(entry.value.request) };
  const chosen = text(scorecardInputs.scorecard);
  if (chosen === newScorecard || chosen === '') {
    const name = fromInput(inputs.name, parseSavedName(text(inputs.name)));
    if (!name.ok) return name;
    const reason = await savingRefusal(await resolveConversation(use, parts), parts);
    if (reason !== undefined) return rejectForm(reason);
    const other = await parts.store.savedReports.findByName(channel, name.value);
    if (other) return rejectForm(nameTaken(name.value), inputs.name);
    const report = { channel, name: name.value, request: scorecardOf(name.value, [line]) };
    return ok(async () => reply(await saveReport(report, asker.id, parts), channel));
  }
  const found = await findItem('saved report', chosen, 'change', context, parts);
  if (!found.ok) return rejectForm(found.refusal);
  const { id, name, revision, request } = found.value;
  if (!request.scorecard) return rejectForm('That is no scorecard any more.', scorecardInputs.scorecard);
  if (request.scorecard.lines.length >= maxScorecardLines)
    return rejectForm(
      `“${displayText(name, 60)}” has ${maxScorecardLines} lines already. Choose another one, or a new one.`,
      scorecardInputs.scorecard,
    );
  const changed = scorecardOf(name, [...request.scorecard.lines, line]);
  return ok(async () => {
    const saved = await parts.store.savedReports.change(
      id,
      revision,
      { request: changed },
      parts.clock.now(),
    );
    await reply(
      saved.ok
        ? `Added to “${displayText(name, 60)}”. Run it with /report ${displayText(name, 60)}`
        : changedMeanwhile,
      channel,
    );
  });
};

/** The form that edits a scorecard: a line of text for each of its lines. */
export async function editScorecardForm(
  { id, revision, name, request }: SavedReport,
  parts: ListenerParts,
): Promise<ModalView> {
  const lines = await textOfLines(request, parts);
  return form(scorecardViews.editScorecard, `${id} ${revision}`, 'Edit a scorecard', 'Save', [
    section(`The lines of “${displayText(name, 60)}”, in their order.`),
    linesInput(lines.map(({ text }) => text).join('\n')),
  ]);
}

/**
 * The scorecard of a form's text, or a sentence that refuses it. Lines that stay as they were keep their saved reports and
 * what was found for their titles.
 *
 * @param before `channel`: whose saved reports new lines can name
 */
export async function readScorecardLines(
  typed: string,
  before: Pick<SavedReport, 'request' | 'channel' | 'name'>,
  zone: string,
  parts: ListenerParts,
): Promise<Result<ReportRequest>> {
  const { request, channel, name } = before;
  const words = typed.replace(/\r?\n/g, '; ');
  if (linesIn(words).length === 0) return refused('A scorecard needs one line at least.');
  const known = new Map((await textOfLines(request, parts)).map(({ text, line }) => [text, line]));
  const names = [...known].flatMap(([text, line]) => ('saved' in line ? text : []));
  const savedNames = [...names, ...(await parts.store.savedReports.namesIn(channel))];
  const read = parseScorecard(words, 0, name, savedNames);
  if (!read.ok) return refused(problemMessageText(read.refusal));
  const lines = (read.value.scorecard?.lines ?? []).map(
    (line) => known.get('request' in line ? formatRequest(line.request) : line.name) ?? line,
  );
  const named = await withSavedReports(scorecardOf(name, lines), channel, parts);
  if (!named.ok) return named;
  const titles = requestsIn(named.value).flatMap((line) => line.titles ?? []);
  const untold = titles.find(({ id }) => id === undefined);
  if (untold)
    return refused(
      `Ask for “${displayText(untold.text, 60)}” by itself first, and press Add to a scorecard under the answer: titles are searched there.`,
    );
  const range = rangeRefusal(named.value, zone, parts);
  return range === undefined ? named : refused(range);
}

const edit: ValidateForm = async ({ asker, context, metadata, text, reply }, parts) => {
  const [id = '', revision] = metadata;
  const found = await findItem('saved report', id, 'change', context, parts);
  if (!found.ok) return rejectForm(found.refusal);
  const saved = found.value;
  if (saved.revision !== Number(revision)) return rejectForm(changedMeanwhile);
  const read = await readScorecardLines(text(inputs.lines), saved, asker.zone, parts);
  if (!read.ok) return rejectForm(read.refusal, inputs.lines);
  return ok(async () => {
    const changed = await parts.store.savedReports.change(
      id,
      saved.revision,
      { request: read.value },
      parts.clock.now(),
    );
    await reply(changed.ok ? `Saved “${displayText(saved.name, 60)}”.` : changedMeanwhile, saved.channel);
  });
};

export const scorecardFormRoutes = (): readonly Route[] => [
  opens(
    answerActions.addToScorecard,
    'conversation',
    'Add to a scorecard',
    async ({ value, context, message }, parts) => {
      const { channel, conversation, asker } = context;
      const entry = await answerToReuse('save', value, { ...context, message }, parts);
      if (!entry.ok) return refused(entry.refusal);
      const { id, request } = entry.value;
      if (request.over !== undefined)
        return refused('Figures over time do not fit a line of a scorecard. Ask without over: and add that.');
      const reason = await savingRefusal(conversation, parts);
      if (reason !== undefined) return refused(reason);
      const command = formatRequest(asLine(request));
      return ok(addForm(id, channel, command, await scorecardsIn(channel, asker, parts)));
    },
  ),
  submission(scorecardViews.addToScorecard, 'member', add),
  submission(scorecardViews.editScorecard, 'member', edit),
];
