import type { BlockSuggestion } from '@slack/bolt';
import { reportNamed } from '../../catalogue/index.js';
import { acceptsMe } from '../../requests/request.js';
import { compact } from '../../requests/text.js';
import { suggestionListsFor } from '../../runner/suggestions.js';
import type { ListenerParts } from '../answers/context.js';
import { minPeopleInForm } from '../builder/open.js';
import type { MemberContext } from '../context/request-context.js';
import { accessInputs } from '../forms/access-forms.js';
import { type BuilderDraft, builderActions, reportChoices } from '../forms/draft.js';
import {
  type BuilderFilter,
  chipOf,
  entriesName,
  filtersOfReport,
  withSuggestion,
} from '../forms/filters.js';
import { type Choice, option } from '../forms/inputs.js';
import { deadlineFrom } from '../forms/modal.js';
import { lookUp, type Need, type Route } from './router.js';

/** Slack's limit for options in one response. */
export const maxOptions = 100;

interface TypedInput {
  readonly context: MemberContext;
  /** The `block_id` of the input. */
  readonly block: string;
  readonly text: string;
  readonly form: BlockSuggestion['view'];
  /** When optional lookups time out, in milliseconds of `performance.now()`. */
  readonly lookUpBy: number;
}

export type Suggest = (typed: TypedInput, parts: ListenerParts) => Promise<readonly Choice[]>;

/** An input for which Slack requests suggestions. Those who may not use Rollcall get none. */
export function suggestions(id: string, needs: Need, suggest: Suggest): Route {
  return {
    kind: 'options',
    id,
    needs,
    async handle({ body, ack, requestId, takenOver, receivedAtMs }, { parts }) {
      const { user, view: form, block_id: block, value: text } = body as BlockSuggestion;
      const found = await lookUp(needs, { asker: user.id, channel: user.id, requestId, takenOver }, parts);
      const { lookUpBy } = deadlineFrom(receivedAtMs);
      const choices = found.ok
        ? await suggest({ context: found.value, block, text, form, lookUpBy }, parts)
        : [];
      await ack({ options: choices.slice(0, maxOptions).map(option) });
    },
  };
}

/** Suggests values for a filter: the typed text first, then values from recent answers. */
const suggestEntries: Suggest = async ({ context: { asker }, block, text, form }, parts) => {
  const draftId = form?.private_metadata ?? '';
  const draft = await parts.store.builderDrafts.find(draftId, asker);
  if (!draft || draft === 'used') return [];
  const filters = filtersOfReport(reportNamed(reportChoices(draft).report));
  const filter = filters.find((one) => entriesName(one) === block);
  if (!filter) return [];
  // A comma separates entries, so it cannot be part of one.
  const typed = [...new Set(text.split(',').map((entry) => entry.trim()))].filter((entry) => entry !== '');
  // Filters on people suggest nothing, so nothing is searched there.
  if (suggestionListsFor(filter.member).length > 0)
    await noteSearch({ form: draftId, field: filter.name, text, asker }, draft, parts);
  await saveLongEntries(draftId, asker, filter, typed, parts);
  const isMe = acceptsMe(filter.member.name) && 'me'.startsWith(text.trim().toLowerCase());
  const me = isMe && { value: 'me', text: 'me', description: 'The person who runs it' };
  const suggested = await suggestedChoices(filter, typed, { draft, asker }, parts);
  return oncePer(({ value }) => value, compact(typed.map(chipOf), me, suggested));
};

/** Notes what was typed into a field of a form last, for the record. Without it nothing is suggested. */
export async function noteSearch(
  typed: { readonly form: string; readonly field: string; readonly text: string; readonly asker: string },
  draft: BuilderDraft,
  { store, clock }: ListenerParts,
): Promise<void> {
  const { form, field, asker: person } = typed;
  const text = typed.text.trim();
  if (text === '') return;
  const place = draft.here?.channel ?? 'direct';
  const { report } = reportChoices(draft);
  await store.formSearches.note({ form, field, person, place, report, content: text }, clock.now());
}

const suggestGroups: Suggest = async ({ text }, parts) => {
  const groups = (await parts.userGroups.all()) ?? [];
  const typed = text.trim().replace(/^@/, '').toLowerCase();
  const found = groups.filter(({ handle, name }) => `${handle} ${name}`.toLowerCase().includes(typed));
  return found.map(({ id, handle, name }) => ({ value: id, text: `@${handle}`, description: name }));
};

/** An entry that is too long for an option is offered under a short value. The draft stores the whole entry. */
async function saveLongEntries(
  draftId: string,
  owner: string,
  { name }: BuilderFilter,
  typed: readonly string[],
  { store, clock }: ListenerParts,
) {
  const marked = typed.filter((entry) => chipOf(entry).value !== entry);
  if (marked.length === 0) return;
  await store.builderDrafts.change(draftId, owner, clock.now(), (draft) =>
    marked.reduce((changed, entry) => withSuggestion(changed, name, entry), draft),
  );
}

async function suggestedChoices(
  { member }: BuilderFilter,
  typed: readonly string[],
  { draft, asker }: { readonly draft: BuilderDraft; readonly asker: string },
  parts: ListenerParts,
) {
  const { level } = await parts.access.accessOf(asker, reportChoices(draft).report);
  if (level === 'nothing') return [];
  const values = await parts.store.suggestions.find(
    suggestionListsFor(member),
    typed.at(-1) ?? '',
    maxOptions,
    await minPeopleInForm(draft, asker, parts),
  );
  return values.map(({ entry, title }) =>
    title === undefined ? chipOf(entry) : { ...chipOf(title), value: entry, description: entry },
  );
}

/** The first item of each key. */
export function oncePer<Item>(keyOf: (item: Item) => string, items: readonly Item[]): readonly Item[] {
  return [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();
}

export const suggestionRoutes = (): readonly Route[] => [
  suggestions(builderActions.entries, 'member', suggestEntries),
  suggestions(accessInputs.group, 'admin', suggestGroups),
];
