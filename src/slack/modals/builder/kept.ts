import { reportFor } from '../../../requests/report-for.js';
import type { ReportRequest } from '../../../requests/request.js';
import type { OutgoingMessage } from '../../delivery/outgoing-message.js';
import { responseUrl } from '../../delivery/response-url.js';
import type { ListenerParts } from '../../listeners/context.js';
import type { Told } from '../../listeners/submissions/submission.js';
import { whyNoSuchRange } from '../../saved/save-report.js';
import type { AskedIn } from '../../where-asked.js';
import { answersDirectly } from '../saved-inputs.js';
import { type Problem, problemsWith } from './problem.js';
import type { Submitted } from './purpose.js';
import { rangeInput } from './ranges.js';

/** What a builder asks for, as it is kept: for whoever runs it, wherever that is. */
export function requestToKeep({ draft, request }: Submitted): ReportRequest {
  return { ...request, toMe: answersDirectly(draft) };
}

/** What stands under the range where no run could have it, as things are. */
export function rangeProblems(
  { draft, request, asker }: Submitted,
  parts: ListenerParts,
): readonly Problem[] {
  const sentence = whyNoSuchRange(request, asker.zone, parts);
  const input = rangeInput(draft.state.range, reportFor(request));
  return sentence === undefined ? [] : problemsWith(input, sentence).problems;
}

/** Where a builder was opened; the direct messages where that was no conversation. */
export async function openedFrom({ draft, asker }: Submitted, parts: ListenerParts): Promise<AskedIn> {
  const { here } = draft;
  if (!here) return { channel: await parts.channels.directWith(asker.id), asker: asker.id };
  const { channel, thread, answerUrl, at } = here;
  return {
    channel,
    asker: asker.id,
    ...(thread === undefined ? {} : { thread }),
    ...(answerUrl === undefined
      ? {}
      : { responseUrl: responseUrl(answerUrl, parts.send, parts.clock.now() - at) }),
  };
}

/** What is said of a builder, where it was opened. */
export async function toldFrom(
  submitted: Submitted,
  message: OutgoingMessage,
  parts: ListenerParts,
): Promise<readonly Told[]> {
  return [{ message, asked: await openedFrom(submitted, parts) }];
}
