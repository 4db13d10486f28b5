import { KnownError } from '../known-error.js';
import { sayRequest } from '../language/index.js';
import { fieldOf } from '../reports/catalogue/index.js';
import { csvName } from '../reports/csv-name.js';
import { columnIsPersonLevel, type ReleasedKeys } from '../reports/person-level.js';
import type { ReportResult } from '../reports/run-report.js';
import type { MessagePlace } from '../store/asks.js';
import type { AskOrder, AskParts } from './ask.js';
import { type Delivery, type Destination, deliver } from './deliver.js';
import type { OutgoingMessage } from './outgoing-message.js';
import type { Progress } from './progress.js';
import { tellAsker } from './tell-asker.js';
import {
  answerWentDirectly,
  fileCannotEnter,
  fileNamesPeople,
  perhapsPostedMessage,
} from './views/notices.js';
import { escaped } from './views/parts/text.js';
import { summaryVariants } from './views/summary/summary-message.js';
import type { Route } from './where-it-goes.js';

/** An answer that Slack did not take. */
export class AnswerNotPosted extends KnownError {
  readonly code = 'answer-not-posted';
  /** @param reason Slack's own error */
  constructor(readonly reason: string) {
    super(`Slack did not take the answer: ${reason}`);
  }
}

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
 * Sends an answer: the summary where its route leads, then its file.
 *
 * @throws AnswerNotPosted, FileNotShared; the asker is to be told
 */
export async function sendAnswer(
  result: ReportResult,
  order: AskOrder,
  facts: SendFacts,
  parts: AskParts,
): Promise<Sent> {
  if (order.fileInto !== undefined) {
    await facts.progress.remove();
    await sendFile(result, order, facts, parts, { channel: order.place.channel, ts: order.fileInto });
    return {};
  }
  const message = await sendSummary(result, order, facts, parts);
  if (message === 'unknown') return {};
  await sendFile(result, order, facts, parts, message);
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
  const replaces = await facts.progress.stop();
  const variants = summaryFor(result, order, facts);
  const { delivery, direct } = await deliverSomewhere(variants, replaces, order, facts, parts);
  const { outcome } = delivery;
  if (outcome.kind === 'not-posted') throw new AnswerNotPosted(outcome.code);
  if (outcome.kind === 'unknown') {
    parts.log.warn({ ask: facts.askId, code: outcome.code }, 'Nobody can know whether an answer arrived');
    await tellAsker(perhapsPostedMessage(facts.askId), asker.id, place, parts.client);
    return 'unknown';
  }
  if (direct && place.kind !== 'direct') {
    await tellAsker(answerWentDirectly(facts.route, place), asker.id, place, parts.client);
  }
  return outcome.ts === '' ? undefined : { channel: outcome.channel, ts: outcome.ts };
}

/** Where the bot cannot enter, a refused or used-up way back leaves the direct messages. */
async function deliverSomewhere(
  variants: readonly OutgoingMessage[],
  replaces: string | undefined,
  { place }: AskOrder,
  { route, direct }: SendFacts,
  { client }: AskParts,
): Promise<{ delivery: Delivery; direct: boolean }> {
  const toDirect = async () => ({
    delivery: await deliver(
      variants,
      { kind: 'channel', channel: direct ?? place.channel, replaces },
      client,
    ),
    direct: true,
  });
  if (route.summary === 'direct') return toDirect();
  if (place.kind !== 'elsewhere') {
    const destination: Destination = {
      kind: 'channel',
      channel: place.channel,
      ...(place.thread ? { thread: place.thread } : {}),
      replaces,
    };
    return { delivery: await deliver(variants, destination, client), direct: false };
  }
  const [full, ...plainer] = variants;
  const last = plainer.at(-1) ?? full;
  if (!place.responseUrl?.isOpen() || !full || !last) return toDirect();
  const delivery = await deliver([full, last], { kind: 'reply', responseUrl: place.responseUrl }, client);
  return delivery.outcome.kind === 'not-posted' ? toDirect() : { delivery, direct: false };
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
    await parts.share({ ...file, channel: summary.channel, thread: place.thread ?? summary.ts });
    return;
  }
  await parts.share({
    ...file,
    channel: facts.direct ?? place.channel,
    comment: `The file for ${escaped(commandOf(order))}`,
  });
  const notice = named ? fileNamesPeople(place) : fileCannotEnter();
  await tellAsker(notice, asker.id, place, parts.client);
}

function summaryFor(result: ReportResult, order: AskOrder, { askId, route }: SendFacts) {
  const { figures } = result;
  if (!figures) throw new Error('An answer without figures has no summary');
  return summaryVariants({
    facts: { ...result, figures },
    command: commandOf(order),
    askedBy: order.asker.id,
    remarks: [],
    withPeople: route.summary === 'direct' || order.place.kind === 'direct',
    buttons: [
      { kind: 'csv', value: askId },
      { kind: 'meanings', value: result.report.name },
    ],
  });
}

/** True when a file turns out to hold, in the members of nested objects, what only some places may get. */
function holdsPersonLevel(
  { report, csv }: ReportResult,
  { place }: AskOrder,
  released: ReleasedKeys,
): boolean {
  if (place.personLevel === 'allowed') return false;
  return (csv?.columns ?? []).some(({ flag, member }) => {
    const field = fieldOf(report, flag);
    return !field || columnIsPersonLevel(field, member, released);
  });
}

/** The command as typed, or the words that ask the same. */
export function commandOf({ typed, request }: Pick<AskOrder, 'typed' | 'request'>): string {
  return `/report ${typed ?? sayRequest(request)}`;
}
