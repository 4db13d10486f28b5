import type { ModalView } from '@slack/types';
import { levelForReport } from '../../../access/scope.js';
import { allReports, reportNamed } from '../../../catalogue/index.js';
import {
  formatRemovedFields,
  removedFieldsOf,
  withoutRemovedFields,
} from '../../../requests/removed-fields.js';
import { plainRequest, type ReportRequest } from '../../../requests/request.js';
import { suggestionListsFor } from '../../../runner/suggestions.js';
import type { Used } from '../../../store/requests/builder-drafts.js';
import { minPeopleIn } from '../../answer-rights.js';
import type { ListenerParts } from '../../listeners/context.js';
import {
  type Conversation,
  type ConversationParts,
  type RequestContext,
  resolveConversation,
} from '../../request-context.js';
import type { FormValues } from '../inputs.js';
import { messageView, updateView } from '../modal.js';
import { filtersOfReport, maxChipsPerFilter } from './filters.js';
import { purposeInputPrefix } from './purpose.js';
import { isPurpose, purposeChoices, purposeOf } from './purposes.js';
import { applyInputs, stateFromRequest } from './read-state.js';
import { type BuilderConversation, type BuilderDraft, entriesOf } from './state.js';
import { builderView, purposeInput } from './view.js';

export interface BuilderOpening {
  readonly asker: string;
  /** Absent if the builder is opened outside a conversation, such as by a shortcut. */
  readonly from?: RequestContext | undefined;
  readonly contents?: BuilderContents | undefined;
}

export interface BuilderContents {
  readonly request: ReportRequest;
  /** Absent: `run`. */
  readonly purpose?: string;
  readonly extra?: BuilderDraft['extra'];
  readonly remarks?: readonly string[];
}

/**
 * A stored request without fields that no longer exist, and a remark that names them.
 *
 * @param advice ends the remark
 */
export function withoutGoneFields(request: ReportRequest, advice = '') {
  const gone = removedFieldsOf(request);
  const remark = `Left out because it no longer exists: ${formatRemovedFields(gone)}.${advice}`;
  return { request: withoutRemovedFields(request), remarks: gone.length > 0 ? [remark] : [] };
}

export const builderTitle = 'Run a report';

export async function makeBuilder(
  { asker, from, contents = emptyContents }: BuilderOpening,
  parts: ListenerParts,
): Promise<ModalView> {
  const draft = await createDraft(from, contents, parts);
  const { builderDrafts } = parts.store;
  const id = await builderDrafts.open(asker, draft, parts.clock.now());
  await builderDrafts.keepNewest(asker, maxOpenForms);
  return renderBuilder(id, asker, draft, parts);
}

/** Slack does not tell when a form is closed. Older forms expire. */
const maxOpenForms = 20;

export const emptyContents: BuilderContents = { request: plainRequest(allReports[0]?.name ?? 'assignments') };

async function createDraft(
  from: RequestContext | undefined,
  contents: BuilderContents,
  parts: ListenerParts,
): Promise<BuilderDraft> {
  const { request, purpose = 'run', extra = {}, remarks = [] } = contents;
  const here = await resolveBuilderConversation(from, parts);
  const state = stateFromRequest(request);
  return {
    state: here ? state : { ...state, where: 'me' },
    purpose,
    extra,
    remarks,
    here,
  };
}

async function resolveBuilderConversation(
  from: RequestContext | undefined,
  parts: ListenerParts,
): Promise<BuilderConversation | undefined> {
  if (!from) return undefined;
  const { channel, thread, kind, personLevel } = await resolveConversation(from, parts);
  return {
    channel,
    thread,
    kind,
    mayNamePeople: personLevel === 'allowed',
    // As a member, Rollcall needs no response URL, so it stores none.
    answerUrl: kind === 'elsewhere' ? from.responseAddress : undefined,
    at: parts.clock.now(),
  };
}

/** The draft with the current values of the form. */
export function withFormValues(draft: BuilderDraft, values: FormValues): BuilderDraft {
  const purpose = values.get(purposeInput);
  const own = [...values].filter(([name]) => name.startsWith(purposeInputPrefix));
  return {
    ...draft,
    state: applyInputs(draft.state, values),
    purpose: isPurpose(purpose) ? purpose : draft.purpose,
    extra: { ...draft.extra, ...Object.fromEntries(own) },
  };
}

/**
 * The draft with the values that the form had at a time, unless the draft already has later ones. Actions arrive over
 * several connections, so a later one can arrive first. Each action carries the whole form.
 *
 * @param at Slack's time of the action, in seconds
 */
export function withFormValuesAt(at: number, draft: BuilderDraft, values: FormValues): BuilderDraft {
  return at < (draft.knownAt ?? 0) ? draft : { ...withFormValues(draft, values), knownAt: at };
}

type RenderParts = Pick<ListenerParts, 'store' | 'interactive' | 'log' | 'access' | 'smallestGroup'> &
  ConversationParts & { readonly asksPurpose?: boolean };

/** Names and titles that fewer people have do not exist in a form. */
export async function minPeopleInForm(
  draft: BuilderDraft,
  asker: string,
  parts: Pick<RenderParts, 'access' | 'smallestGroup'> & ConversationParts,
): Promise<number> {
  const { level } = await parts.access.accessOf(asker, draft.state.report);
  if (level !== 'everything') return parts.smallestGroup;
  return minPeopleIn(await conversationOfForm(draft, asker, parts), [level], parts);
}

/** Where the answer of a form will be read. */
export async function conversationOfForm(
  { state, here }: BuilderDraft,
  asker: string,
  parts: ConversationParts,
): Promise<Conversation> {
  const channels = { me: undefined, channel: state.channel, here: here?.channel };
  const channel = channels[state.where];
  if (channel === undefined) return { channel: asker, kind: 'direct', personLevel: 'allowed' };
  return resolveConversation({ channel, asker }, parts);
}

export interface OpenView {
  readonly viewId: string;
  /** The version of the view to replace. Absent: any version. */
  readonly hash?: string | undefined;
}

export const formExpired = 'This form has expired. Type /report to open a new one.';

async function renderBuilder(
  id: string,
  owner: string,
  draft: BuilderDraft,
  parts: RenderParts,
): Promise<ModalView> {
  const { title, submit, inputs } = purposeOf(draft);
  const { report } = draft.state;
  const access = await parts.access.accessOf(owner, report);
  return builderView({
    draftId: id,
    draft,
    title,
    submit,
    purposes: purposeChoices(draft),
    purposeInputs: inputs(draft),
    titles: await titlesFor(draft, owner, parts),
    level: levelForReport({ report }, access),
    admins: access.admins,
    asksPurpose: parts.asksPurpose,
  });
}

/**
 * Updates the open builder from its draft. If another update came first, it reads the draft again and replaces that
 * update, because the draft has the changes of both.
 */
export async function updateBuilder(
  id: string,
  owner: string,
  draft: BuilderDraft | Used | undefined,
  { viewId, hash }: OpenView,
  parts: RenderParts,
): Promise<void> {
  if (draft === 'used') return;
  const view = draft ? await renderBuilder(id, owner, draft, parts) : messageView(builderTitle, formExpired);
  const updated = await updateView({ viewId, view, hash }, parts);
  if (updated !== 'changed' || !hash) return;
  const latest = await parts.store.builderDrafts.find(id, owner);
  return updateBuilder(id, owner, latest, { viewId }, parts);
}

async function titlesFor(draft: BuilderDraft, owner: string, parts: RenderParts) {
  const { state } = draft;
  const report = reportNamed(state.report);
  const maxChips = maxChipsPerFilter(state, report);
  const shown = filtersOfReport(report)
    .filter(({ member }) => member.kind === 'identifiers')
    .map(({ name, member }) => ({
      lists: suggestionListsFor(member),
      entries: entriesOf(state, name).entries.slice(0, maxChips),
    }))
    .filter(({ lists, entries }) => lists.length > 0 && entries.length > 0);
  if (shown.length === 0) return new Map<string, string>();
  return parts.store.suggestions.titlesOf(
    shown.flatMap(({ lists }) => lists),
    shown.flatMap(({ entries }) => entries),
    await minPeopleInForm(draft, owner, parts),
  );
}

/** Runs tasks with the same key one after the other, in the order in which they were added. */
export type KeyedQueue = (key: string, task: () => Promise<void>) => Promise<void>;

export function keyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<void>>();
  return async (key, task) => {
    const before = last.get(key) ?? Promise.resolve();
    const current = before.then(task, task);
    last.set(key, current);
    try {
      await current;
    } finally {
      if (last.get(key) === current) last.delete(key);
    }
  };
}
