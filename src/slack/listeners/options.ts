import type { AllMiddlewareArgs, SlackOptionsMiddlewareArgs } from '@slack/bolt';
import { acceptsMe } from '../../requests/request.js';
import { suggestionListsFor } from '../../runner/suggestions.js';
import { type BuilderFilter, chipOf, filterNamed, withSuggestion } from '../modals/builder/filters.js';
import { minPeopleInForm } from '../modals/builder/open.js';
import type { BuilderDraft } from '../modals/builder/state.js';
import { type Choice, option } from '../modals/inputs.js';
import { resolveAsker } from '../request-context.js';
import type { ListenerParts } from './context.js';

/** Slack's limit for options in one response. */
export const maxOptions = 100;

/** Suggests values for a filter: the typed text first, then values from recent answers. */
export function filterSuggestions(parts: ListenerParts) {
  return async ({
    payload,
    body,
    ack,
  }: SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs) => {
    const { block_id: block, value: query } = payload;
    const asker = await resolveAsker(body.user.id, parts.people, parts.defaultZone);
    if (!asker.ok) return void (await ack({ options: [] }));
    const draftId = body.view?.private_metadata ?? '';
    const draft = await parts.store.builderDrafts.find(draftId, body.user.id);
    const open = draft && draft !== 'used' ? draft : undefined;
    const filter = open && filterNamed(block.replace(/^entries:/, ''), open.state);
    if (!open || !filter) return void (await ack({ options: [] }));
    const typed = typedEntries(query);
    // Filters on people suggest nothing, so nothing is searched there.
    if (suggestionListsFor(filter.member).length > 0) {
      await noteSearch({ form: draftId, field: filter.name, text: query, asker: body.user.id }, open, parts);
    }
    await saveLongEntries(draftId, body.user.id, filter, typed, parts);
    const choices = [
      ...typed.map(chipOf),
      ...meChoice(filter, query),
      ...(await suggestedChoices(filter, typed, { draft: open, asker: body.user.id }, parts)),
    ];
    await ack({ options: oncePerValue(choices).slice(0, maxOptions).map(option) });
  };
}

/** Notes what was typed into a field of a form last, for the record. Without it nothing is suggested. */
export async function noteSearch(
  typed: { readonly form: string; readonly field: string; readonly text: string; readonly asker: string },
  { state, here }: BuilderDraft,
  { store, clock }: Pick<ListenerParts, 'store' | 'clock'>,
): Promise<void> {
  const { form, field, asker: person } = typed;
  const text = typed.text.trim();
  if (text === '') return;
  const place = here?.channel ?? 'direct';
  await store.formSearches.note({ form, field, person, place, report: state.report, text }, clock.now());
}

/** Suggests user groups for a rule of access, to admins. */
export function groupSuggestions(parts: ListenerParts) {
  return async ({
    payload: { value: query },
    body,
    ack,
  }: SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs) => {
    const asker = await resolveAsker(body.user.id, parts.people, parts.defaultZone);
    const isAllowed = asker.ok && (await parts.access.isAdmin(body.user.id));
    const groups = isAllowed ? ((await parts.userGroups.all()) ?? []) : [];
    const typed = query.trim().replace(/^@/, '').toLowerCase();
    const found = groups.filter(({ handle, name }) => `${handle} ${name}`.toLowerCase().includes(typed));
    const choices = found.map(({ id, handle, name }) => ({
      value: id,
      text: `@${handle}`,
      description: name,
    }));
    await ack({ options: choices.slice(0, maxOptions).map(option) });
  };
}

/** A comma separates entries, so it cannot be part of one. */
function typedEntries(query: string): readonly string[] {
  const entries = query.split(',').map((entry) => entry.trim());
  return [...new Set(entries.filter((entry) => entry !== ''))];
}

/** An entry that is too long for an option is offered under a short value. The draft keeps the whole entry. */
async function saveLongEntries(
  draftId: string,
  owner: string,
  { name }: BuilderFilter,
  typed: readonly string[],
  { store, clock }: ListenerParts,
): Promise<void> {
  const marked = typed.filter((entry) => chipOf(entry).value !== entry);
  if (marked.length === 0) return;
  await store.builderDrafts.change(draftId, owner, clock.now(), (draft) => ({
    ...draft,
    state: marked.reduce((state, entry) => withSuggestion(state, name, entry), draft.state),
  }));
}

function meChoice({ member }: BuilderFilter, query: string): readonly Choice[] {
  if (!acceptsMe(member.name) || !'me'.startsWith(query.trim().toLowerCase())) return [];
  return [{ value: 'me', text: 'me', description: 'The person who runs it' }];
}

async function suggestedChoices(
  { member }: BuilderFilter,
  typed: readonly string[],
  { draft, asker }: { readonly draft: BuilderDraft; readonly asker: string },
  parts: ListenerParts,
): Promise<readonly Choice[]> {
  const { level } = await parts.access.accessOf(asker, draft.state.report);
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

function oncePerValue(choices: readonly Choice[]): readonly Choice[] {
  return [...new Map([...choices].reverse().map((choice) => [choice.value, choice])).values()].reverse();
}
