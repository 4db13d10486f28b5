import type { ModalView } from '@slack/types';
import { sixReports } from '../../../catalogue/index.js';
import { plainRequest, type ReportRequest } from '../../../requests/request.js';
import { actions } from '../../ids.js';
import type { ListenerParts } from '../../listeners/context.js';
import { type AskedIn, whereAsked } from '../../where-asked.js';
import { whoAsks } from '../../who-asks.js';
import { messageView } from '../modal.js';
import { type ModalRequest, openModal } from '../modals.js';
import type { BuilderDraft, OpenedIn } from './draft.js';
import { drawBuilder } from './draw-builder.js';
import { stateOf } from './state-of.js';

/** A way to the builder that somebody has taken. */
export interface BuilderDoor {
  /** Slack's leave to open a form: good for three seconds, once. */
  readonly triggerId: string;
  readonly asker: string;
  /** Absent where it was no conversation. */
  readonly from?: AskedIn;
  /** Slack's way back to it. */
  readonly answerUrl?: string | undefined;
  /** The button that asks for the same; absent: the one that opens an empty builder. */
  readonly retry?: ModalRequest['retry'];
  /** What the builder is filled with; a sentence where there is nothing. */
  readonly fill?: () => Promise<Filling | string>;
}

export interface Filling {
  readonly request: ReportRequest;
  /** The purpose; absent: to run it. */
  readonly purpose?: string;
  readonly extra?: BuilderDraft['extra'];
  readonly remarks?: readonly string[];
}

const title = 'Run a report';

/** Opens the builder. Who may ask, and what the form is filled with, is looked up meanwhile. */
export async function openBuilder(door: BuilderDoor, parts: ListenerParts): Promise<void> {
  const { triggerId, asker, from, retry = { action: actions.openBuilder, value: '-' } } = door;
  const asked = from ?? { channel: asker, asker };
  await openModal({ triggerId, title, asked, retry }, () => makeBuilder(door, parts), parts);
}

/** A builder for whoever may ask; a modal that says why there is none for others. */
export async function makeBuilder(
  door: Omit<BuilderDoor, 'triggerId'>,
  parts: ListenerParts,
): Promise<ModalView> {
  const who = await whoAsks(door.asker, parts.people, parts.defaultZone);
  if ('refused' in who) return messageView(title, who.refused);
  const filling = (await door.fill?.()) ?? { request: plainRequest(firstReport) };
  if (typeof filling === 'string') return messageView(title, filling);
  const draft = await draftFor(door, filling, parts);
  const id = await parts.store.builderDrafts.open(door.asker, draft, parts.clock.now());
  return drawBuilder(id, draft, parts);
}

const firstReport = sixReports[0]?.name ?? 'assignments';

async function draftFor(
  door: Omit<BuilderDoor, 'triggerId'>,
  filling: Filling,
  parts: ListenerParts,
): Promise<BuilderDraft> {
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
  { from, answerUrl }: Omit<BuilderDoor, 'triggerId'>,
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
