import type { ModalView } from '@slack/types';
import { type Access, levelForReport, scopeOf } from '../../access/scope.js';
import { allReports, reportNamed } from '../../catalogue/index.js';
import { formatRemovedFields, removedFieldsOf, withoutRemovedFields } from '../../requests/removed-fields.js';
import { plainRequest, type ReportRequest } from '../../requests/request.js';
import { suggestionListsFor } from '../../runner/suggestions.js';
import type { Used } from '../../store/saved/drafts.js';
import { minPeopleIn } from '../answers/answer-run.js';
import type { ListenerParts } from '../answers/context.js';
import {
  type Conversation,
  type ConversationParts,
  type RequestContext,
  resolveConversation,
} from '../context/request-context.js';
import { type BuilderDraft, choiceIn, inputNames, reportChoices } from '../forms/draft.js';
import { type BuilderFilter, entriesOf, filtersOfReport, maxChipsPerFilter } from '../forms/filters.js';
import { textIn } from '../forms/inputs.js';
import { messageView, updateView } from '../forms/modal.js';
import { requestIn, valuesOf } from '../forms/read-draft.js';
import { builderView } from './view.js';

export interface BuilderContents extends Partial<BuilderDraft> {
  readonly request: ReportRequest;
}

/** A stored request without removed fields, and a remark that names them, which `advice` ends. */
export function withoutGoneFields(request: ReportRequest, advice = '') {
  const gone = removedFieldsOf(request);
  const remark = `Left out because it no longer exists: ${formatRemovedFields(gone)}.${advice}`;
  return { request: withoutRemovedFields(request), remarks: gone.length > 0 ? [remark] : [] };
}

export const builderTitle = 'Run a report';

/** @param from absent if the builder is opened outside a conversation, such as by a shortcut */
export async function makeBuilder(
  { request, ...contents }: BuilderContents = emptyContents,
  asker: string,
  from: RequestContext | undefined,
  parts: ListenerParts,
): Promise<ModalView> {
  const here = await resolveBuilderConversation(from, parts);
  const where = here ? {} : { [inputNames.where]: 'me' };
  const draft = { ...contents, values: { ...valuesOf(request), ...where, ...contents.values }, here };
  const { builderDrafts } = parts.store;
  const id = await builderDrafts.open(asker, draft, parts.clock.now());
  await builderDrafts.keepNewest(asker, maxOpenForms);
  return renderBuilder(id, asker, draft, parts);
}

/** Slack does not tell when a form is closed. Older forms expire. */
const maxOpenForms = 20;

const emptyContents: BuilderContents = { request: plainRequest(allReports[0]?.name ?? 'assignments') };

async function resolveBuilderConversation(from: RequestContext | undefined, parts: ListenerParts) {
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

/** Names and titles that fewer people have do not exist in a form. */
export async function minPeopleInForm(
  draft: BuilderDraft,
  asker: string,
  parts: ListenerParts,
): Promise<number> {
  const { level } = await parts.access.accessOf(asker, reportChoices(draft).report);
  if (level !== 'everything') return parts.smallestGroup;
  return minPeopleIn(await conversationOfForm(draft, asker, parts), [level], parts);
}

/** Where the answer of a form will be read. */
export async function conversationOfForm(
  draft: BuilderDraft,
  asker: string,
  parts: ConversationParts,
): Promise<Conversation> {
  const where = choiceIn(draft, inputNames.where);
  const chosen = where === 'channel' ? textIn(draft.values, inputNames.channel) : draft.here?.channel;
  if (where === 'me' || !chosen) return { channel: asker, kind: 'direct', personLevel: 'allowed' };
  return resolveConversation({ channel: chosen, asker }, parts);
}

export const formExpired = 'This form has expired. Type /report to open a new one.';

async function renderBuilder(id: string, owner: string, draft: BuilderDraft, parts: ListenerParts) {
  const { report } = reportChoices(draft);
  const access = await parts.access.accessOf(owner, report);
  return builderView(id, draft, {
    titles: await titlesFor(draft, owner, parts),
    level: levelForReport({ report }, access),
    admins: access.admins,
    asksPurpose: parts.asksPurpose,
    isProtected: isProtectedIn(draft, access, parts.smallestGroup),
  });
}

/** Whether the reader sees no figure about few people in direct messages. A request that is not valid yet counts as totals. */
function isProtectedIn(draft: BuilderDraft, access: Access, smallestGroup: number): boolean {
  const inForm = requestIn(draft);
  const request = inForm.ok ? inForm.value : plainRequest(reportChoices(draft).report);
  const options = {
    destination: 'direct',
    released: new Set<string>(),
    smallestGroup,
    me: access.address,
  } as const;
  const scope = scopeOf(request, access, options);
  return scope.ok && scope.value.smallestGroup > 1;
}

/**
 * Updates the open builder from its draft. If another update came first, it reads the draft again and replaces that
 * update, because the draft has the changes of both.
 *
 * @param hash the version of the view to replace; absent: any version
 */
export async function updateBuilder(
  id: string,
  owner: string,
  draft: BuilderDraft | Used | undefined,
  viewId: string,
  parts: ListenerParts,
  hash?: string,
): Promise<void> {
  if (draft === 'used') return;
  const view = draft ? await renderBuilder(id, owner, draft, parts) : messageView(builderTitle, formExpired);
  const updated = await updateView(viewId, view, parts, hash);
  if (updated !== 'changed' || !hash) return;
  const latest = await parts.store.builderDrafts.find(id, owner);
  return updateBuilder(id, owner, latest, viewId, parts);
}

async function titlesFor(draft: BuilderDraft, owner: string, parts: ListenerParts) {
  const report = reportNamed(reportChoices(draft).report);
  const maxChips = maxChipsPerFilter(draft, report);
  const lists = (filter: BuilderFilter) => suggestionListsFor(filter.member);
  const titled = filtersOfReport(report).filter(
    (filter) => filter.member.kind === 'identifiers' && lists(filter).length > 0,
  );
  const entries = titled.flatMap((filter) => entriesOf(filter, draft).slice(0, maxChips));
  if (entries.length === 0) return new Map<string, string>();
  const minPeople = await minPeopleInForm(draft, owner, parts);
  return parts.store.suggestions.titlesOf(titled.flatMap(lists), entries, minPeople);
}
