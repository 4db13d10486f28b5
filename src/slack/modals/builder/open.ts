import type { ModalView } from '@slack/types';
import { allReports, reportNamed } from '../../../catalogue/index.js';
import { ok, type Result } from '../../../errors/result.js';
import { plainRequest, type ReportRequest } from '../../../requests/request.js';
import { suggestionListsFor } from '../../../runner/suggestions.js';
import type { Used } from '../../../store/requests/builder-drafts.js';
import { actions } from '../../ids.js';
import type { ListenerParts } from '../../listeners/context.js';
import { type RequestContext, resolveAsker, resolveConversation } from '../../request-context.js';
import { type ModalRequest, messageView, openModal, updateView } from '../modal.js';
import { filtersOfReport, maxChipsShown } from './filters.js';
import { purposeInputPrefix } from './purpose.js';
import { isPurpose, purposeChoices, purposeOf } from './purposes.js';
import { applyInputs, stateFromRequest } from './read-state.js';
import { type BuilderDraft, entriesOf, type FormValues, type OpenedIn } from './state.js';
import { builderView, purposeInput } from './view.js';

/** A way to the builder that somebody has taken. */
export interface BuilderTrigger {
  /** Slack's leave to open a form: good for three seconds, once. */
  readonly triggerId: string;
  readonly asker: string;
  /** Absent where it was no conversation. */
  readonly from?: RequestContext;
  /** Slack's way back to it. */
  readonly answerUrl?: string | undefined;
  /** The button that asks for the same; absent: the one that opens an empty builder. */
  readonly retry?: ModalRequest['retry'];
  /** Gives the contents of the form. Absent: the form is empty. */
  readonly fill?: () => Promise<Result<BuilderContents>>;
}

interface BuilderContents {
  readonly request: ReportRequest;
  /** The purpose; absent: to run it. */
  readonly purpose?: string;
  readonly extra?: BuilderDraft['extra'];
  readonly remarks?: readonly string[];
}

const title = 'Run a report';

/** Opens the builder. Who may ask, and what the form is filled with, is looked up meanwhile. */
export async function openBuilder(trigger: BuilderTrigger, parts: ListenerParts): Promise<void> {
  const { triggerId, asker, from, retry = { action: actions.openBuilder, value: '-' } } = trigger;
  const asked = from ?? { channel: asker, asker };
  await openModal({ triggerId, title, asked, retry }, () => makeBuilder(trigger, parts), parts);
}

/** A builder for whoever may ask; a modal that says why there is none for others. */
export async function makeBuilder(
  trigger: Omit<BuilderTrigger, 'triggerId'>,
  parts: ListenerParts,
): Promise<ModalView> {
  const who = await resolveAsker(trigger.asker, parts.people, parts.defaultZone);
  if (!who.ok) return messageView(title, who.refusal);
  const contents = (await trigger.fill?.()) ?? ok({ request: plainRequest(firstReport) });
  if (!contents.ok) return messageView(title, contents.refusal);
  const draft = await draftFor(trigger, contents.value, parts);
  const id = await parts.store.builderDrafts.open(trigger.asker, draft, parts.clock.now());
  return renderBuilder(id, draft, parts);
}

const firstReport = allReports[0]?.name ?? 'assignments';

async function draftFor(
  trigger: Omit<BuilderTrigger, 'triggerId'>,
  contents: BuilderContents,
  parts: ListenerParts,
): Promise<BuilderDraft> {
  const { request, purpose = 'run', extra = {}, remarks = [] } = contents;
  const here = await whereOpened(trigger, parts);
  const state = stateFromRequest(request);
  return {
    state: here ? state : { ...state, where: 'me' },
    purpose,
    extra,
    remarks,
    here,
  };
}

async function whereOpened(
  { from, answerUrl }: Omit<BuilderTrigger, 'triggerId'>,
  parts: ListenerParts,
): Promise<OpenedIn | undefined> {
  if (!from) return undefined;
  const { channel, thread, kind, personLevel } = await resolveConversation(from, parts);
  return {
    channel,
    thread,
    kind,
    mayNamePeople: personLevel === 'allowed',
    // Where the bot is a member it needs no way back, and what need not be kept is not.
    answerUrl: kind === 'elsewhere' ? answerUrl : undefined,
    at: parts.clock.now(),
  };
}

/** The draft with what stands in the form now. */
export function withFormValues(draft: BuilderDraft, filledIn: FormValues): BuilderDraft {
  const purpose = filledIn.get(purposeInput);
  const own = [...filledIn].filter(([name]) => name.startsWith(purposeInputPrefix));
  return {
    ...draft,
    state: applyInputs(draft.state, filledIn),
    purpose: isPurpose(purpose) ? purpose : draft.purpose,
    extra: { ...draft.extra, ...Object.fromEntries(own) },
  };
}

/**
 * The same, for a form as it was at a moment. Whoever did something later has told of the whole form as it was later,
 * and may be heard earlier, since what people do arrives over several connections.
 *
 * @param at Slack's time of it, in seconds
 */
export function withFormValuesAt(at: number, draft: BuilderDraft, filledIn: FormValues): BuilderDraft {
  return at < (draft.knownAt ?? 0) ? draft : { ...withFormValues(draft, filledIn), knownAt: at };
}

type RenderParts = Pick<ListenerParts, 'store' | 'interactive' | 'log'>;

/** A builder that somebody has before them, as Slack knows it. */
export interface OpenView {
  readonly viewId: string;
  /** Of the drawing that this is an answer to; absent: whatever is there. */
  readonly hash?: string | undefined;
}

export const formExpired = 'This form has expired. Type /report to open a new one.';

/** The builder as it stands. */
async function renderBuilder(id: string, draft: BuilderDraft, parts: RenderParts): Promise<ModalView> {
  const { title, submit, inputs } = purposeOf(draft);
  return builderView({
    draftId: id,
    draft,
    title,
    submit,
    purposes: purposeChoices(draft),
    purposeInputs: inputs(draft),
    titles: await titlesFor(draft, parts),
  });
}

/**
 * Draws the builder anew. Where somebody else has drawn it meanwhile, the draft is looked at again and drawn over
 * theirs: the draft has everybody's changes, whoever made them.
 */
export async function updateBuilder(
  id: string,
  owner: string,
  draft: BuilderDraft | Used | undefined,
  { viewId, hash }: OpenView,
  parts: RenderParts,
): Promise<void> {
  if (draft === 'used') return;
  const view = draft ? await renderBuilder(id, draft, parts) : messageView('Run a report', formExpired);
  const updated = await updateView({ viewId, view, hash }, parts);
  if (updated !== 'changed' || !hash) return;
  const latest = await parts.store.builderDrafts.find(id, owner);
  return updateBuilder(id, owner, latest, { viewId }, parts);
}

/** What people call the identifiers that are drawn. */
async function titlesFor({ state }: BuilderDraft, { store }: RenderParts) {
  const report = reportNamed(state.report);
  const most = maxChipsShown(state, report);
  const drawn = filtersOfReport(report)
    .filter(({ member }) => member.kind === 'identifiers')
    .map(({ name, member }) => ({
      lists: suggestionListsFor(member),
      entries: entriesOf(state, name).entries.slice(0, most),
    }))
    .filter(({ lists, entries }) => lists.length > 0 && entries.length > 0);
  return store.suggestions.titlesOf(
    drawn.flatMap(({ lists }) => lists),
    drawn.flatMap(({ entries }) => entries),
  );
}

/** Does things one after the other where they are about the same, so that the last one of them has the last word. */
export type KeyedQueue = (about: string, act: () => Promise<void>) => Promise<void>;

export function keyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<void>>();
  return async (about, act) => {
    const before = last.get(about) ?? Promise.resolve();
    const mine = before.then(act, act);
    last.set(about, mine);
    try {
      await mine;
    } finally {
      if (last.get(about) === mine) last.delete(about);
    }
  };
}
