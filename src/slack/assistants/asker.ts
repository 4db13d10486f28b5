import { answerReply, offersReply, savedReply } from '../../assistants/answer.js';
import { longQuestions } from '../../assistants/long-questions.js';
import type { AskData, SavedData, ToolReply } from '../../assistants/replies.js';
import type { SharedQuestions } from '../../assistants/shared-questions.js';
import type { RowsWanted, ToolDoor } from '../../assistants/tools.js';
import type { FiguresResult } from '../../figures/result.js';
import { partsFor, randomId } from '../../logging/logger.js';
import { formatRequest } from '../../requests/parse-request.js';
import { maskPeople } from '../../requests/person-level.js';
import { compact } from '../../requests/text.js';
import type { ListenerParts } from '../answers/context.js';
import { logFailure } from '../context/notify-asker.js';
import { type Assistant, type AssistantFigures, maySee } from '../context/request-context.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { lookUp } from '../listeners/router.js';
import { readTypedText } from '../markup.js';
import { describeAccessRefusal } from '../messages/access-levels.js';
import { isChannel } from '../messages/blocks.js';
import { describeFailure } from '../messages/failures.js';
import { answerBlocks, commandsIn, offerBlocks } from './blocks.js';
import { runWords, toldInto } from './run-words.js';
import { plainTextOf, safeReply } from './safe-reply.js';

/** What came of a question. */
interface Outcome {
  readonly requestId: string;
  readonly figures?: AssistantFigures | undefined;
  /** What a person would have been told. */
  readonly told: readonly OutgoingMessage[];
  /** False where the words are no command. */
  readonly isUnderstood: boolean;
  /** Set where something failed that nobody was told of. */
  readonly failure?: { readonly error: unknown };
}

/** How far a question is, in milliseconds of `performance.now()`. */
interface Progress {
  readonly startedAt: number;
  records: number;
  waitsUntil: number;
}

const noIdentity =
  'Slack did not say who asks, so nothing was run. Ask in Slack, in the conversation with Slackbot.';

const totalsAlone = describeAccessRefusal({ kind: 'assistant' });

const restarting = 'Rollcall is restarting. Ask again in a minute.';

/** The most saved reports in one list. */
const maxSaved = 200;

/**
 * The tools of people in Slack. Each person comes through the same door as with a slash command.
 *
 * @param shared the questions of all processes; absent: this one is alone
 */
export function askersIn(parts: ListenerParts, shared: SharedQuestions | undefined) {
  const questions = longQuestions<Outcome>();
  const progressOf = new Map<string, Progress>();

  /**
   * @param user the Slack user ID of who asks; undefined: Slack did not say
   * @param hungUp aborted when the client hangs up
   */
  return (user: string | undefined, hungUp: AbortSignal): ToolDoor => {
    const asker = user ?? '';
    const zoneOf = async () => (await parts.people.find(asker)).zone ?? parts.defaultZone;

    /** @param rows absent: figures are wanted */
    async function replyTo(typed: string, rows?: RowsWanted): Promise<ToolReply> {
      const words = readTypedText(typed);
      if (!words.ok) return { text: words.refusal, isError: true, outcome: 'refused' };
      const key = JSON.stringify([asker, words.value.replace(/\s+/g, ' '), rows?.file, rows?.purpose, !rows]);
      const work = (signal: AbortSignal) => {
        const progress: Progress = { startedAt: performance.now(), records: 0, waitsUntil: 0 };
        progressOf.set(key, progress);
        return run(words.value, rows, signal, progress).finally(() => progressOf.delete(key));
      };
      /** Also for calls of other processes. */
      async function answer(client: AbortSignal): Promise<ToolReply> {
        const outcome = await questions.ask({ key, hungUp: client, endsAlone: rows !== undefined }, work);
        if (!outcome) return runningReply(progressOf.get(key), rows !== undefined);
        return safeReply(await (rows ? sentReply(outcome) : figuresReply(outcome)));
      }
      if (!shared) return answer(hungUp);
      const late = runningReply(undefined, rows !== undefined);
      return shared.ask({ key, isHere: () => questions.has(key), answer, late }, hungUp);
    }

    async function run(
      typed: string,
      rows: RowsWanted | undefined,
      signal: AbortSignal,
      progress: Progress,
    ): Promise<Outcome> {
      const requestId = randomId();
      const told: OutgoingMessage[] = [];
      let figures: AssistantFigures | undefined;
      let isUnderstood = true;
      const assistant: Assistant = {
        signal,
        onRecords(records) {
          progress.records = records;
        },
        onWait(milliseconds = 0) {
          progress.waitsUntil = performance.now() + milliseconds;
        },
        ...(!rows && {
          takeFigures(given) {
            figures = given;
          },
        }),
      };
      try {
        const channel = await parts.channels.directWith(asker);
        const context = { asker, channel, typed, requestId, responseUrl: toldInto(told), assistant };
        isUnderstood = await runWords(context, rows, partsFor(requestId, parts));
        return { requestId, figures, told, isUnderstood };
      } catch (error) {
        return { requestId, told, isUnderstood, failure: { error } };
      }
    }

    async function figuresReply({ figures, requestId, ...others }: Outcome): Promise<ToolReply> {
      const all = figures?.result.figures;
      if (!figures || !all) return toldReply({ requestId, ...others });
      const { result, command, lookAgain } = figures;
      try {
        // The answer may have waited for the question to be asked again.
        await lookAgain();
      } catch (error) {
        return failureReply(error, requestId);
      }
      const zone = await zoneOf();
      const { rows: _rows, ...totals } = result;
      const counted = { ...totals, figures: withoutRows(all) };
      return { ...answerReply(counted, command, zone), blocks: answerBlocks(counted, { command }, zone) };
    }

    async function sentReply(outcome: Outcome): Promise<ToolReply> {
      const entry = await parts.store.requestLog.find(outcome.requestId);
      if (entry?.state !== 'posted') return { ...toldReply(outcome), data: undefined, isError: true };
      const notes = outcome.told.map(({ text }) => plainTextOf(text));
      return {
        text: ['Sent. It is in the asker’s direct messages with Rollcall.', ...notes].join(' '),
        outcome: 'answered',
      };
    }

    /** What a person would have been told, with the commands of its buttons. */
    function toldReply({ told, failure, requestId, isUnderstood }: Outcome): ToolReply {
      if (failure) return failureReply(failure.error, requestId);
      const text = told.map((message) => plainTextOf(message.text)).join('\n');
      const offers = [...new Set(told.flatMap(commandsIn))];
      if (text === '') return { text: restarting, isError: true, outcome: 'failed' };
      if (offers.length === 0 && isUnderstood) {
        const isCancelled = text.startsWith('Cancelled:');
        return { text, isError: true, outcome: isCancelled ? 'cancelled' : 'refused' };
      }
      const [sentence = ''] = text.split('\n');
      const reply = { ...offersReply(text, offers), blocks: offerBlocks(sentence, offers) };
      return sentence === totalsAlone ? { ...reply, isError: true, outcome: 'refused' } : reply;
    }

    function failureReply(error: unknown, requestId: string): ToolReply {
      logFailure(error, { requestId, report: 'none' }, 'A question of an assistant failed', parts.log);
      return { text: describeFailure(error, requestId).sentence, isError: true, outcome: 'failed' };
    }

    async function listSaved(): Promise<ToolReply> {
      const { savedReports } = parts.store;
      const joined = [...((await parts.memberships.channelsOf(asker)) ?? [])];
      const shared = await savedReports.inChannels(joined, maxSaved);
      const own = await savedReports.ownedBy(asker, maxSaved);
      const listed: SavedData['saved_reports'] = [];
      for (const saved of new Map([...own, ...shared].map((each) => [each.id, each])).values()) {
        const { name, channel, owner, request } = saved;
        const facts = isChannel(channel) ? await parts.channels.find(channel) : undefined;
        const isOpen = facts?.known === true && !facts.isPrivate;
        const yours = owner === asker;
        if (yours ? !(await maySee(channel, asker, parts)) : !isOpen) continue;
        const where = facts ? `channel ${channel}` : 'direct messages';
        listed.push({ name, where, command: formatRequest(maskPeople(request)), yours });
        if (listed.length === maxSaved) break;
      }
      return savedReply(listed, 'No reports are saved there.');
    }

    return {
      failed: (error) => failureReply(error, randomId()),
      async refusal() {
        if (user === undefined) return noIdentity;
        const context = { asker: user, channel: user, requestId: randomId() };
        const found = await lookUp('member', context, parts);
        return found.ok ? undefined : found.refusal;
      },
      ask: async (question) => safeReply(await replyTo(question)),
      savedReports: async () => safeReply(await listSaved()),
      sendRows: async (rows) => safeReply(await replyTo(rows.question, rows)),
    };
  };
}

/** The values of a single row are a row, too. */
function withoutRows({ onlyRow: _row, people: _people, ...figures }: FiguresResult): FiguresResult {
  return figures;
}

function runningReply(progress: Progress | undefined, isForRows: boolean): ToolReply {
  const now = performance.now();
  const { startedAt = now, records = 0, waitsUntil = now } = progress ?? {};
  const seconds = Math.round((now - startedAt) / 1000);
  const waitMinutes = Math.ceil((waitsUntil - now) / 60_000);
  const sentence = compact(
    seconds > 0 ? `Still running, for ${seconds} seconds so far.` : 'Still running.',
    records > 0 && `${records} records are read.`,
    waitMinutes > 0 && `The Reporting Service is busy for about ${waitMinutes} more minutes.`,
    isForRows
      ? 'It goes to the asker’s direct messages when it is ready.'
      : 'Ask the same question again for its answer. It is cancelled if nobody asks within a minute.',
  ).join(' ');
  const data: AskData = { status: 'running', sentence };
  return { text: sentence, data: isForRows ? undefined : data, outcome: 'running' };
}
