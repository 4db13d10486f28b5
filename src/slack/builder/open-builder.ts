import type { ModalView } from '@slack/types';
import type { BuilderDraft, OpenedIn } from '../../builder/draft.js';
import { stateOf } from '../../builder/state-of.js';
import { sixReports } from '../../reports/catalogue/index.js';
import { plainRequest, type ReportRequest } from '../../reports/request.js';
import { randomId } from '../../store/random-id.js';
import { wordsForFailure } from '../../words-for-failures.js';
import { slackErrorCode } from '../connection/clients.js';
import type { ListenerParts } from '../listeners/parts.js';
import { tellAsker } from '../tell-asker.js';
import { messageView, openingView } from '../views/builder/builder-view.js';
import { notice } from '../views/notices.js';
import { type AskedIn, whereAsked } from '../where-asked.js';
import { whoAsks } from '../who-asks.js';
import { drawBuilder } from './draw-builder.js';
import { updateView } from './update-view.js';

/** A way to the builder that somebody has taken. */
export interface BuilderDoor {
  /** Slack's leave to open a form: good for three seconds, once. */
  readonly triggerId: string;
  readonly asker: string;
  /** Absent where it was no conversation. */
  readonly from?: AskedIn;
  /** Slack's way back to it. */
  readonly answerUrl?: string | undefined;
  /** What the builder is filled with, found out while a light form stands; a sentence where there is nothing. */
  readonly fill?: () => Promise<Filling | string>;
}

export interface Filling {
  readonly request: ReportRequest;
  /** The purpose; absent: to run it. */
  readonly purpose?: string;
  readonly extra?: BuilderDraft['extra'];
  readonly remarks?: readonly string[];
}

/**
 * Opens the builder. Something light stands at once, within the trigger's life, and says nothing but that the form is
 * coming; who may ask, and what the form is filled with, is looked up meanwhile. Never throws: what goes wrong is told.
 */
export async function openBuilder(door: BuilderDoor, parts: ListenerParts): Promise<void> {
  const viewId = await openLight(door, parts);
  if (viewId === undefined) return;
  const show = (view: ModalView) => updateView({ viewId, view }, parts);
  try {
    const who = await whoAsks(door.asker, parts.people, parts.defaultZone);
    if ('refused' in who) return void (await show(messageView('Run a report', who.refused)));
    const filling = (await door.fill?.()) ?? { request: plainRequest(firstReport) };
    if (typeof filling === 'string') return void (await show(messageView('Run a report', filling)));
    const draft = await draftFor(door, filling, parts);
    const id = await parts.store.builderDrafts.open(door.asker, draft, parts.clock.now());
    await show(await drawBuilder(id, draft, parts));
  } catch (error) {
    const reference = randomId();
    parts.log.error({ err: error, reference }, 'A form could not be made');
    await show(messageView('Run a report', wordsForFailure(error, reference).sentence));
  }
}

const firstReport = sixReports[0]?.name ?? 'assignments';

async function openLight(door: BuilderDoor, parts: ListenerParts): Promise<string | undefined> {
  try {
    const { view } = await parts.interactive.views.open({ trigger_id: door.triggerId, view: openingView() });
    return view?.id;
  } catch (error) {
    parts.log.warn({ code: slackErrorCode(error) }, 'A form could not be opened');
    const place = door.from
      ? await whereAsked(door.from, parts)
      : ({ channel: door.asker, kind: 'elsewhere', personLevel: 'never' } as const);
    const sentence = 'Slack did not open the form in time. Try again, or ask in words: /report help.';
    await tellAsker(notice(sentence), door.asker, place, parts.client);
    return undefined;
  }
}

async function draftFor(door: BuilderDoor, filling: Filling, parts: ListenerParts): Promise<BuilderDraft> {
  const { request, purpose = 'run', extra = {}, remarks = [] } = filling;
  const here = await openedIn(door, parts);
  const state = stateOf(request);
  return {
    state: here ? state : { ...state, where: 'me' },
    purpose,
    extra,
    remarks,
    ...(here ? { here } : {}),
  };
}

async function openedIn(
  { from, answerUrl }: BuilderDoor,
  parts: ListenerParts,
): Promise<OpenedIn | undefined> {
  if (!from) return undefined;
  const { channel, thread, kind, personLevel } = await whereAsked(from, parts);
  return {
    channel,
    ...(thread === undefined ? {} : { thread }),
    kind,
    mayNamePeople: personLevel === 'allowed',
    // Where the bot is a member it needs no way back, and what need not be kept is not.
    ...(kind === 'elsewhere' && answerUrl !== undefined ? { answerUrl } : {}),
    at: parts.clock.now(),
  };
}
