import type { ReportRequest, ResolvedRange } from '../requests/request.js';
import { randomId } from '../store/random-id.js';
import { answerAsk } from './answer-request.js';
import type { AskOrder } from './ask-order.js';
import { tellAsker } from './delivery/notify-asker.js';
import type { ListenerParts } from './listeners/context.js';
import { wordsForFailure } from './messages/failures.js';
import { failureMessage, notice } from './messages/notices.js';
import type { Place } from './request-context.js';
import { type AskedIn, whereAsked } from './where-asked.js';
import { whoAsks } from './who-asks.js';

/** An ask as it arrives, before anybody looked at who asks and where. */
export interface ArrivingAsk extends AskedIn, Pick<AskOrder, 'runOf' | 'isRepeat'> {
  readonly request: ReportRequest;
  /** After `/report `, as typed; absent where a button asked. */
  readonly typed?: string;
  /** Whose wall clock ranges follow, where it is not the asker's: that of the digest which is tried out. IANA. */
  readonly zone?: string;
  /** The range of an earlier answer, where the same is asked again. */
  readonly range?: ResolvedRange;
  /** The file alone, into the thread of the summary with this `ts`. */
  readonly fileInto?: string;
  /** Whom `me` means, where it is not the one who asks now: the asker of the answer that a file is wanted of. */
  readonly me?: string;
}

/** Takes an ask in: finds out who asks and where, and answers it. Never throws: what goes wrong is told. */
export async function takeAsk(arriving: ArrivingAsk, parts: ListenerParts): Promise<void> {
  let place: Place | undefined;
  try {
    const { request, typed, range, fileInto, zone, runOf, isRepeat } = arriving;
    const who = await whoAsks(arriving.asker, parts.people, parts.defaultZone);
    place = await whereAsked(arriving, parts);
    if ('refused' in who) {
      await tellAsker(notice(who.refused), arriving.asker, place, parts.client);
      return;
    }
    const email = arriving.me ? (await parts.people.find(arriving.me)).email : who.asker.email;
    const { email: _own, ...asker } = who.asker;
    await answerAsk(
      {
        request,
        asker: { ...asker, ...(email ? { email } : {}), ...(zone ? { zone } : {}) },
        place,
        lookAgain: () => whereAsked(arriving, parts, true),
        ...(typed === undefined ? {} : { typed }),
        ...(range ? { range } : {}),
        ...(fileInto ? { fileInto } : {}),
        ...(runOf ? { runOf } : {}),
        ...(isRepeat ? { isRepeat } : {}),
      },
      parts,
    );
  } catch (error) {
    const id = randomId();
    parts.log.error({ err: error, id }, 'A request could not be taken in');
    const message = failureMessage(wordsForFailure(error, id), undefined);
    await tellAsker(message, arriving.asker, place ?? unknownPlace(arriving), parts.client);
  }
  parts.home.changed(arriving.asker);
}

/** Before anything is known of a place, only the command's own way back and the direct messages are sure. */
function unknownPlace({ channel, responseUrl }: AskedIn): Place {
  return { channel, kind: 'elsewhere', personLevel: 'never', ...(responseUrl ? { responseUrl } : {}) };
}
