import { reportNamed } from '../../catalogue/index.js';
import type { DigestDraft } from '../../digests/digest.js';
import { sizeOfPlan } from '../../digests/managers-plan.js';
import { isFailure, ok, type Result, refused } from '../../errors/failure.js';
import { formatTitle } from '../../figures/summary/request.js';
import { randomId } from '../../logging/logger.js';
import type { ListenerParts } from '../answers/context.js';
import { type ProgressDestination, showProgress } from '../answers/progress.js';
import { replyInContext } from '../context/notify-asker.js';
import { inChannel, type MemberContext } from '../context/request-context.js';
import { deliver } from '../delivery/post-message.js';
import { context as contextBlock } from '../messages/blocks.js';
import { describeFailure } from '../messages/failures.js';
import { managerVariants, rehearsalLines } from '../messages/managers.js';
import { notice } from '../messages/notices.js';
import { type ManagersReading, readForManagers } from './managers-facts.js';
import { scheduleOfDraft } from './validate.js';

/** What is rehearsed: a draft, a saved digest, or what an open form holds. */
export interface RehearsedDigest extends Pick<DigestDraft, 'request' | 'owner'> {
  readonly schedule: ManagersSchedule;
  readonly skipEmpty: boolean;
  /** The saved digest that it is, or changes. */
  readonly id?: string | undefined;
}

type ManagersSchedule = Parameters<typeof readForManagers>[0]['schedule'];

export interface Rehearsal {
  /** Who would get a message, and who cannot be reached. */
  readonly lines: readonly string[];
  readonly readers: number;
  readonly zones: readonly string[];
}

/** Who waits for a rehearsal, and where they see how far it is. */
interface Waiting {
  /** A Slack user ID. */
  readonly asker: string;
  readonly destination: ProgressDestination;
}

/**
 * Plans the messages of a draft for everybody, with the rows of now, and sends none.
 *
 * @param namesPeople true where people may be named
 */
export async function rehearse(
  draft: DigestDraft,
  namesPeople: boolean,
  waiting: Waiting,
  parts: ListenerParts,
): Promise<Result<Rehearsal>> {
  const schedule = await scheduleOfDraft(draft, parts.store, parts.clock.now());
  const { request, owner, skipEmpty, changes } = draft;
  const rehearsed = { request, owner, skipEmpty, schedule, id: changes?.id };
  return withReading(rehearsed, waiting, parts, async (reading) => {
    const { plan, readers, zones } = reading;
    return { lines: rehearsalLines(plan, reading, namesPeople), readers, zones };
  });
}

/** Sends one message as a sample to this person, with the numbers of all. Nobody else gets anything. */
export async function sendManagersTest(
  tested: RehearsedDigest,
  context: MemberContext,
  parts: ListenerParts,
): Promise<void> {
  const { asker, member } = context;
  const { request, schedule, owner, id = '' } = tested;
  const channel = await parts.channels.directWith(asker);
  const there = inChannel(context, channel);
  const { level } = await parts.access.accessOf(asker, request.report);
  if (level !== 'everything') {
    await replyInContext(
      notice('A test shows the team of a manager, so it needs the access level “everything”.'),
      there,
      parts,
    );
    return;
  }
  const waiting = { asker, destination: { kind: 'message', channel } } as const;
  const sent = await withReading(tested, waiting, parts, async (reading) => {
    const lines = rehearsalLines(reading.plan, reading, true);
    const [first = '', ...rest] = lines;
    const below = rest.map((line) => contextBlock(line));
    await replyInContext(notice(`This is a test: nobody else got anything. ${first}`, below), there, parts);
    const sample = sizeOfPlan(reading.plan).largest;
    if (!sample?.team) return;
    const findings = await reading.findingsOf(sample.team);
    const variants = managerVariants({
      digest: { id, request, schedule, owner, when: undefined },
      findings,
      requestedAt: parts.clock.now(),
      zone: member.zone,
      leavesOutPeople: reading.leavesOutPeople,
      links: parts.learningLinks,
      isSample: true,
    });
    await parts.store.sentRows.saveOf(
      {
        at: parts.clock.now(),
        recipient: asker,
        report: request.report,
        what: 'rows',
        place: 'direct',
      },
      findings.listed.map(({ who }) => who),
    );
    const { outcome } = await deliver(variants, { channel }, parts, { maxTries: 1 });
    if (outcome.kind !== 'posted')
      parts.log.warn({ code: outcome.code }, 'A sample of a digest for managers was not sent');
  });
  if (!sent.ok) await replyInContext(notice(sent.refusal), there, parts);
}

/**
 * Reads for everybody, whatever their hour, and gives the rows back after `use`. Where only new rows are told, all rows
 * stand for them: the first run would compare with nothing. It is one of the requests of whoever waits for it: it waits
 * its turn, and can be cancelled.
 */
async function withReading<Value>(
  rehearsed: RehearsedDigest,
  { asker, destination }: Waiting,
  parts: ListenerParts,
  use: (reading: ManagersReading) => Promise<Value>,
): Promise<Result<Value>> {
  const { request } = rehearsed;
  const id = randomId();
  const title = () => `a rehearsal of ${formatTitle({ report: reportNamed(request.report), request })}`;
  const progress = showProgress(id, title, destination, parts);
  try {
    return await parts.running.inTurn(id, asker, false, async (signal) => {
      const requestedAt = parts.clock.now();
      const { records: onRecords, waits: onWait } = progress;
      const options = { requestedAt, urgency: 'person', onRecords, onWait, signal } as const;
      const reading = await readForManagers(rehearsed, options, parts);
      try {
        await progress.remove();
        return ok(await use(reading));
      } finally {
        await reading.close();
      }
    });
  } catch (error) {
    if (isFailure(error, 'cancelled')) return refused('Cancelled. Nothing was saved or sent.');
    parts.log.warn({ err: error }, 'A digest for managers could not be rehearsed');
    const { reason = '' } = describeFailure(error, rehearsed.id ?? '');
    return refused(`I could not see who would get a message. ${reason}`);
  } finally {
    await progress.remove();
  }
}
