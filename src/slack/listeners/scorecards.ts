import { asLine } from '../../requests/parse-scorecard.js';
import { resolveRanges } from '../../runner/queries.js';
import { answerRequest } from '../answers/answer-request.js';
import type { ListenerParts } from '../answers/context.js';
import { maySee } from '../context/request-context.js';
import { runSaved } from '../list/run-saved-report.js';
import { scorecardActions } from '../messages/scorecard.js';
import { answerExpired, findAnswer } from './find-answer.js';
import { type OnPress, press, type Route, sayWhereAnswerGoes } from './router.js';

/** Show…: runs one line of a scorecard, as whoever presses may see it. Its own dates stay, a saved report runs anew. */
const showLine: OnPress = async (pressed, parts) => {
  const [id = '', place = ''] = pressed.value.split(' ');
  const { context, message, reply } = pressed;
  const entry = await findAnswer(id, { ...context, message }, parts);
  const line = entry?.request.scorecard?.lines[Number(place)];
  if (!entry || !line) return reply(answerExpired);
  sayWhereAnswerGoes(pressed, parts);
  const inThread = message ? { ...context, thread: message.thread ?? message.ts } : context;
  if (!('request' in line)) return showSaved(line.saved, inThread, pressed, parts);
  const request = asLine(line.request);
  const asker = { id: context.member.id, zone: context.member.zone };
  const { shown: range } = resolveRanges(request, { requestedAt: entry.requestedAt, asker }, parts.weekStart);
  await answerRequest(request, { ...inThread, typed: undefined }, parts, {
    me: entry.asker,
    range,
    choseFilters: entry.choseFilters !== false && entry.asker === context.asker,
  });
};

async function showSaved(
  id: string | undefined,
  context: Parameters<typeof runSaved>[1],
  { reply }: Parameters<OnPress>[0],
  parts: ListenerParts,
) {
  const saved = id === undefined ? undefined : await parts.store.savedReports.find(id);
  if (!saved || saved.deletedAt !== undefined) return reply('That saved report no longer exists.');
  if (saved.channel !== context.channel && !(await maySee(saved.channel, context.asker, parts)))
    return reply('That report is saved in a channel that you may not see.');
  await runSaved(
    saved,
    { ...context, typed: context.channel === saved.channel ? saved.name : undefined },
    parts,
  );
}

export const scorecardRoutes = (): readonly Route[] => [press(scorecardActions.showLine, 'member', showLine)];
