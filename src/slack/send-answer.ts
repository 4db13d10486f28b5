import { sayRequest } from '../language/index.js';
import { fieldOf } from '../reports/catalogue/index.js';
import { csvName } from '../reports/csv-name.js';
import { columnIsPersonLevel, type ReleasedKeys, requestIsPersonLevel } from '../reports/person-level.js';
import type { ReportResult } from '../reports/run-report.js';
import type { MessagePlace } from '../store/asks.js';
import { wordsForFailure } from '../words-for-failures.js';
import type { AskOrder, AskParts } from './ask-order.js';
import { deliver } from './deliver.js';
import { AnswerNotPosted } from './errors.js';
import type { PostOutcome } from './post-outcome.js';
import type { Progress } from './progress.js';
import { tellAsker } from './tell-asker.js';
import {
  answerWentDirectly,
  failureMessage,
  fileCannotEnter,
  fileNamesPeople,
  perhapsPostedMessage,
} from './views/notices.js';
import { escaped } from './views/parts/text.js';
import { summaryVariants } from './views/summary/summary-message.js';
import type { Route } from './where-it-goes.js';

type Variants = ReturnType<typeof summaryVariants>;

export interface SendFacts {
  readonly askId: string;
  readonly route: Route;
  readonly released: ReleasedKeys;
  /** The direct messages with the asker, where something may go there from elsewhere. */
  readonly direct: string | undefined;
  readonly progress: Progress;
}

/** What is known of an answer after it was sent. */
export interface Sent {
  /** Absent where Slack gave no name for the message, or where nobody knows whether it arrived. */
  readonly message?: MessagePlace;
}

/**
 * Sends an answer: the summary where its route leads, then its file. A summary that stands is an answer, also where its
 * file fails: the asker is told, and presses CSV for another try.
 *
 * @throws AnswerNotPosted; FileNotShared where the file alone was asked for
 */
export async function sendAnswer(
  result: ReportResult,
  order: AskOrder,
  facts: SendFacts,
  parts: AskParts,
): Promise<Sent> {
  if (order.fileInto !== undefined) {
    await sendFile(result, order, facts, parts, { channel: order.place.channel, ts: order.fileInto });
    await facts.progress.remove();
    return {};
  }
  const message = await sendSummary(result, order, facts, parts);
  if (message === 'unknown') return {};
  try {
    await sendFile(result, order, facts, parts, message);
  } catch (error) {
    parts.log.warn({ err: error, ask: facts.askId }, 'The file of an answer was not shared');
    const words = wordsForFailure(error, facts.askId);
    await tellAsker(failureMessage(words, undefined), order.asker.id, order.place, parts.client);
  }
  return message ? { message } : {};
}

/** Gives where the summary stands; undefined where Slack does not say, `unknown` where it may not have arrived. */
async function sendSummary(
  result: ReportResult,
  order: AskOrder,
  facts: SendFacts,
  parts: AskParts,
): Promise<MessagePlace | undefined | 'unknown'> {
  const { place, asker } = order;
  const { outcome, wentDirectly } = await deliverSomewhere(
    summaryFor(result, order, facts),
    order,
    facts,
    parts,
  );
  if (outcome.kind === 'not-posted') throw new AnswerNotPosted(outcome.code);
  facts.progress.answered();
  if (outcome.kind === 'unknown') {
    parts.log.warn({ ask: facts.askId, code: outcome.code }, 'Nobody can know whether an answer arrived');
    await tellAsker(perhapsPostedMessage(facts.askId), asker.id, place, parts.client);
    return 'unknown';
  }
  if (wentDirectly) {
    await tellAsker(answerWentDirectly(facts.route, place), asker.id, place, parts.client, true);
  }
  return outcome.ts === '' ? undefined : { channel: outcome.channel, ts: outcome.ts };
}

/** Where the bot cannot enter, a refused or used-up way back leaves the direct messages. */
async function deliverSomewhere(
  variants: Variants,
  { place }: AskOrder,
  { askId, route, direct, progress }: SendFacts,
  { client, refused }: AskParts,
): Promise<{ outcome: PostOutcome; wentDirectly: boolean }> {
  const into = async (channel: string, thread?: string) => {
    const replaces = await progress.giveWay(channel);
    const destination = { kind: 'channel', channel, ...(thread ? { thread } : {}), replaces } as const;
    const first = refused.firstVariant();
    const { outcome, variant } = await deliver(variants.slice(first), destination, client);
    if (outcome.kind === 'posted') refused.posted(askId, first + variant);
    return outcome;
  };
  if (place.kind !== 'elsewhere' && (route.summary === 'here' || place.kind === 'direct')) {
    return { outcome: await into(place.channel, place.thread), wentDirectly: false };
  }
  if (route.summary === 'here' && place.responseUrl?.isOpen()) {
    await progress.giveWay(place.channel);
    const [full] = variants;
    // Each try is one of the few uses, so the variants in between are passed over.
    const destination = { kind: 'reply', responseUrl: place.responseUrl } as const;
    const { outcome } = await deliver([full, variants.at(-1) ?? full], destination, client);
    if (outcome.kind !== 'not-posted') return { outcome, wentDirectly: false };
  }
  return { outcome: await into(direct ?? place.channel), wentDirectly: true };
}

async function sendFile(
  result: ReportResult,
  order: AskOrder,
  facts: SendFacts,
  parts: AskParts,
  summary: MessagePlace | undefined,
): Promise<void> {
  const { csv } = result;
  if (!csv) return;
  const { place, asker } = order;
  const named = facts.route.csv === 'direct' || holdsPersonLevel(result, order, facts.released);
  const isDirect = place.kind === 'direct' || summary?.channel === facts.direct;
  const file = { path: csv.path, bytes: csv.bytes, name: csvName(result), title: csvName(result) };
  if (summary && (isDirect || (place.kind === 'member' && !named))) {
    await parts.share({ ...file, into: { channel: summary.channel, thread: place.thread ?? summary.ts } });
    return;
  }
  await parts.share({
    ...file,
    into: {
      channel: facts.direct ?? place.channel,
      comment: `The file for ${escaped(commandOf(order))}`,
    },
  });
  const notice = named ? fileNamesPeople(place) : fileCannotEnter();
  await tellAsker(notice, asker.id, place, parts.client, true);
}

function summaryFor(result: ReportResult, order: AskOrder, { askId, route, released }: SendFacts) {
  const { figures } = result;
  const isDirect = route.summary === 'direct' || order.place.kind === 'direct';
  if (!figures) throw new Error('An answer without figures has no summary');
  return summaryVariants({
    facts: { ...result, figures },
    command: commandOf(order),
    askedBy: order.asker.id,
    remarks: [],
    withPeople: isDirect,
    buttons: [
      { kind: 'csv', value: askId },
      { kind: 'change', value: askId },
      { kind: 'save', value: askId },
      { kind: 'schedule', value: askId },
      ...(isDirect && !requestIsPersonLevel(order.request, released)
        ? [{ kind: 'share', value: askId } as const]
        : []),
      { kind: 'meanings', value: result.report.name },
    ],
  });
}

/** True when a file turns out to hold, in the members of nested objects, what only some places may get. */
export function holdsPersonLevel(
  { report, csv }: Pick<ReportResult, 'report' | 'csv'>,
  { place }: Pick<AskOrder, 'place'>,
  released: ReleasedKeys,
): boolean {
  if (place.personLevel === 'allowed') return false;
  return (csv?.columns ?? []).some(({ flag, member, holdsObjects }) => {
    const field = fieldOf(report, flag);
    return !field || holdsObjects || columnIsPersonLevel(field, member, released);
  });
}

/** The command as typed, or the words that ask the same. */
export function commandOf({ typed, request }: Pick<AskOrder, 'typed' | 'request'>): string {
  return `/report ${typed ?? sayRequest(request)}`;
}
