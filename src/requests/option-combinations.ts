import {
  type ConditionField,
  type ConditionKind,
  conditionField,
  factsOfStates,
} from '../catalogue/conditions.js';
import type { Report } from '../catalogue/index.js';
import { assignedElsewhere, unknownChoice } from './option-corrections.js';
import { leftOut, type Problem, quoteTypedWord, replaceSpan, type TypedPart } from './problem.js';
import { rangeOption } from './range-option.js';
import { parseRangeWords } from './range-words.js';
import {
  anyEntry,
  asksForOpen,
  emptyView,
  narrows,
  type PartOfRequest,
  reportForRequest,
} from './request.js';
import type { OptionsContext } from './request-options.js';
import type { RowCondition } from './row-conditions.js';
import { foldText } from './text.js';
import { isForManagers, type ManagersRefusal } from './to-managers.js';
import { type OptionToken, quoteEntry, type Token } from './tokens.js';
import { qualifiedName } from './vocabulary.js';

/** Checks what depends on several options, which may come in any order. */
export function problemOfCombination(tokens: readonly Token[], context: OptionsContext): Problem | undefined {
  const { view, text, chosen: options } = context;
  const report = context.report.name;
  const states = options.states.size > 0 ? [...options.states] : context.states;
  const { byAssignedDate, assigned, range, dateField = context.dateField } = options;
  const isOnlyForOpen = byAssignedDate || options.filters.get('user.suspended')?.has(anyEntry);
  if (isOnlyForOpen && !asksForOpen({ report, view, states })) return onlyForOpen(tokens, context);
  if (options.dateField !== undefined && (byAssignedDate || assigned !== undefined)) {
    const namesAnother = options.dateField !== 'assigned_date' || (view !== undefined && range !== undefined);
    const [on] = optionTokens(tokens, 'on');
    if (namesAnother && on) return leftOut({ kind: 'two-dates' }, on, text);
  }
  const besideOver = problemBesideOver(tokens, context);
  if (besideOver) return besideOver;
  const hasTarget = options.target ?? context.saved?.target;
  const withoutRate = hasTarget && narrows({ view, states }) && targetWithoutRate(tokens, context);
  if (withoutRate) return withoutRate;
  const ofAll = { report, view, states, range: range ?? context.saved?.range, dateField };
  const [only] = optionTokens(tokens, 'only');
  const empty = only && problemOfEmptyView(ofAll, only, context);
  if (empty) return empty;
  const contradicting = contradiction(context, states);
  if (contradicting) return contradicting;
  const forManagers = options.toManagers && refusedForManagers(tokens, context);
  if (forManagers) return forManagers;
  const { futureRangeProblem } = options;
  const hasFuture = futureRangeProblem && reportForRequest({ report, view, dateField }).range?.hasFuture;
  return hasFuture ? undefined : futureRangeProblem;
}

/** `assigned:` and `suspended:any`, which other requests refuse. */
function onlyForOpen(tokens: readonly Token[], context: OptionsContext): Problem | undefined {
  const index = tokens.findIndex((token) => optionTokens([token], 'assigned').length > 0);
  const assigned = rangeOption(tokens, index)?.token;
  if (assigned) return assignedElsewhere(assigned, context);
  for (const token of optionTokens(tokens, 'suspended', 'user.suspended')) {
    const any = token.entries.find(({ text }) => text.toLowerCase() === anyEntry);
    if (any) return unknownChoice(any, `${token.name.toLowerCase()}:`, ['yes', 'no'], context);
  }
  return undefined;
}

/** What cannot stand beside `over:`, `against:` and `figure:`. */
function problemBesideOver(tokens: readonly Token[], context: OptionsContext): Problem | undefined {
  const { chosen, text, view, saved, report } = context;
  const part = (name: string) => optionTokens(tokens, name)[0];
  const states = chosen.states.size > 0 ? [...chosen.states] : saved?.states;
  const hasNoPast = asksForOpen({ report: report.name, view, states });
  for (const name of ['over', 'against']) {
    const typed = part(name);
    if (typed && hasNoPast) return leftOut({ kind: 'no-past', option: `${name}:` }, typed, text);
  }
  const over = chosen.over ?? (chosen.rangeSpan ? undefined : saved?.over);
  const figure = part('figure');
  if (over === undefined) return figure && leftOut({ kind: 'figure-alone' }, figure, text);
  // Without a part of its own, it is of the saved report, and `over:` was typed.
  const beside = (isThere: unknown, what: string, typed: TypedPart | undefined): Problem | undefined => {
    const about = typed ?? part('over');
    return isThere && about
      ? leftOut({ kind: 'beside-over', over: `over:${over}`, what }, about, text)
      : undefined;
  };
  return (
    beside(chosen.rangeSpan, 'a range', chosen.rangeSpan) ??
    beside(chosen.by ?? saved?.by, 'by:', part('by')) ??
    beside(chosen.showRows ?? saved?.showRows, 'rows', firstWord(tokens, 'rows')) ??
    beside(chosen.columns.size > 0 || saved?.columns, 'fields:', part('fields')) ??
    beside((chosen.file ?? saved?.file) === 'evidence', 'evidence', firstWord(tokens, 'evidence')) ??
    beside(chosen.target ?? saved?.target, 'target:', part('target'))
  );
}

/** The problem of a target where no rate is shown: in a view, or of states. Either may be that of a saved request. */
function targetWithoutRate(tokens: readonly Token[], { chosen, text }: OptionsContext): Problem | undefined {
  const [typed] = optionTokens(tokens, chosen.target ? 'target' : 'only');
  return typed && leftOut({ kind: 'target', reason: 'no-rate' }, typed, text);
}

/** The problem of a view and states that no row is in, with the command that asks for these states. */
function problemOfEmptyView(
  request: PartOfRequest,
  only: OptionToken,
  { text, from }: Pick<OptionsContext, 'text' | 'from'>,
): Problem | undefined {
  const reason = emptyView(request);
  const { view, states = [] } = request;
  if (!reason || !view) return undefined;
  const without = leftOut({ kind: 'empty-view', reason, view }, only, text);
  // A name of a saved report may end with such a word, too.
  const { before } =
    /^(?<before>|schedule\s+|.*[:;]\s*)(?:overdue|due)\s*$/is.exec(text.slice(0, from))?.groups ?? {};
  if (before === undefined) return without;
  if (reason === 'completed') {
    const date = request.range !== undefined && request.dateField === undefined ? ' on:due_date' : '';
    const rest = `${text.slice(from, only.end)}${date}${text.slice(only.end)}`;
    const nearest = `assignments only:${states.join(',')}`;
    return { ...without, nearest, corrected: `${before}assignments${rest}` };
  }
  if (states.length > 1) return without;
  const nearest = reason === 'past-due' ? 'due' : 'overdue';
  return { ...without, nearest, corrected: `${before}${nearest}${replaceSpan(text, only, '').slice(from)}` };
}

/** What a digest for managers does not go with. */
function refusedForManagers(tokens: readonly Token[], { report, text }: OptionsContext): Problem | undefined {
  const without = (reason: ManagersRefusal, token: Token | undefined) =>
    token && leftOut({ kind: 'managers', reason }, token, text);
  const to = optionTokens(tokens, 'to')[0];
  return (
    (isForManagers(report.name) ? undefined : without('report', to)) ??
    without('file', firstWord(tokens, 'csv', 'xlsx', 'evidence')) ??
    without('over-time', optionTokens(tokens, 'over', 'against', 'figure')[0]) ??
    without('target', optionTokens(tokens, 'target')[0]) ??
    without('breakdown', optionTokens(tokens, 'by')[0]) ??
    without('replace', firstWord(tokens, 'replace'))
  );
}

function firstWord(tokens: readonly Token[], ...words: readonly string[]) {
  return tokens.find((token) => token.kind === 'word' && words.includes(token.text.toLowerCase()));
}

function optionTokens(tokens: readonly Token[], ...names: readonly string[]) {
  return tokens.filter(
    (token): token is OptionToken => token.kind === 'option' && names.includes(token.name.toLowerCase()),
  );
}

/**
 * The first condition that no row can meet together with an earlier one, with a filter, or with the view or the states.
 *
 * @param states those of the request
 */
function contradiction(context: OptionsContext, states: readonly string[] | undefined): Problem | undefined {
  const { chosen, report, view, text } = context;
  const all = chosen.conditions;
  for (const [index, { condition, token }] of all.entries()) {
    const field = conditionField(report, condition.field);
    const refusedBeside = (other: string) => {
      const option = `${token.name.toLowerCase()}:`;
      return leftOut({ kind: 'condition', option, reason: 'contradiction', other, field }, token, text);
    };
    const ofRows = contradictsState({ report: report.name, view, states }, condition);
    if (ofRows !== undefined) return refusedBeside(ofRows);
    const other =
      all.slice(0, index).find((earlier) => contradict(earlier.condition, condition, field?.kind))?.token ??
      field?.members.find(({ object, member }) => {
        const entries = chosen.filters.get(qualifiedName(object, member));
        if (!entries || entries.size === 0) return false;
        return contradict({ field: condition.field, sign: '=', values: [...entries] }, condition, 'list');
      });
    if (!other) continue;
    const said = 'start' in other ? text.slice(other.start, other.end) : typedFilter(other, context);
    return refusedBeside(quoteTypedWord(said));
  }
  return undefined;
}

/** The filter that was typed for a member: `departments:Sales,HR`. */
function typedFilter({ object, member }: ConditionField['members'][number], { chosen }: OptionsContext) {
  const entries = [...(chosen.filters.get(qualifiedName(object, member)) ?? [])];
  const yesOrNo = (entry: string) => (entry === 'true' ? 'yes' : 'no');
  return `${member.name}:${entries.map(member.kind === 'yes-no' ? yesOrNo : quoteEntry).join(',')}`;
}

/** The view or the states that no row with this condition is of, as typed; undefined: there can be such rows. */
export function contradictsState(
  { report, view, states = [] }: PartOfRequest,
  condition: RowCondition,
): string | undefined {
  const kind = conditionField({ name: report }, condition.field)?.kind;
  const isNever = (state: string) =>
    (factsOfStates[report]?.[state] ?? []).some(([field, sign, ...values]) => {
      // What cannot be read is not empty, and a number that is missing can count as 0.
      const isOfEmptiness = condition.sign === 'none' || condition.sign === 'any';
      if (isOfEmptiness && sign !== 'any') return false;
      return contradict({ field, sign, values }, condition, kind);
    });
  if (view && isNever(view)) return view;
  return states.length > 0 && states.every(isNever) ? `only:${states.join(',')}` : undefined;
}

/** Two conditions that no row can meet together; undefined: there are none. */
export function contradictory(
  report: Report,
  conditions: readonly RowCondition[],
): readonly [RowCondition, RowCondition] | undefined {
  for (const [index, condition] of conditions.entries()) {
    const kind = conditionField(report, condition.field)?.kind;
    const other = conditions.slice(0, index).find((earlier) => contradict(earlier, condition, kind));
    if (other) return [other, condition];
  }
  return undefined;
}

/** True where no row can meet both. Ranges that move with the clock are not compared. */
function contradict(one: RowCondition, other: RowCondition, kind: ConditionKind | undefined): boolean {
  if (one.field !== other.field) return false;
  const [first, second] = [one.sign, other.sign];
  if (first === 'none' || second === 'none') {
    const sign = first === 'none' ? second : first;
    return sign !== 'none' && sign !== '!';
  }
  const folded = ({ values }: RowCondition) => new Set(values.map(foldText));
  const [values, others] = [folded(one), folded(other)];
  if (first === '=' && second === '!') return [...values].every((value) => others.has(value));
  if (first === '!' && second === '=') return [...others].every((value) => values.has(value));
  if (first === '=' && second === '=' && kind !== 'list' && kind !== 'date')
    return ![...values].some((value) => others.has(value));
  const [span, otherSpan] = [spanOf(one, kind === 'date'), spanOf(other, kind === 'date')];
  if (!span || !otherSpan) return false;
  const from = Math.max(span.from, otherSpan.from);
  const to = Math.min(span.to, otherSpan.to);
  return from > to || (from === to && isOpenAt(from, span, otherSpan));
}

interface Span {
  readonly from: number;
  readonly to: number;
  /** True where its ends are not in it. */
  readonly isOpen: boolean;
}

function isOpenAt(end: number, ...spans: readonly Span[]): boolean {
  return spans.some(({ from, to, isOpen }) => isOpen && (from === end || to === end));
}

/** The numbers, or the days as numbers, that meet a condition. Undefined where they are not one span. */
function spanOf({ sign, values: [value = ''] }: RowCondition, isDate: boolean): Span | undefined {
  const range = isDate ? parseRangeWords(value) : undefined;
  const meaning = range?.ok ? range.value.meaning : undefined;
  const [first, last] =
    meaning?.kind === 'span'
      ? [meaning.first.getTime(), meaning.last.getTime()]
      : [Number(value || Number.NaN), Number(value || Number.NaN)];
  if (Number.isNaN(first) || (isDate && meaning?.kind !== 'span')) return undefined;
  const isOpen = sign === '>' || sign === '<';
  if (sign === '=') return { from: first, to: last, isOpen };
  if (sign === '>') return { from: last, to: Number.POSITIVE_INFINITY, isOpen };
  if (sign === '>=') return { from: first, to: Number.POSITIVE_INFINITY, isOpen };
  if (sign === '<') return { from: Number.NEGATIVE_INFINITY, to: first, isOpen };
  return sign === '<=' ? { from: Number.NEGATIVE_INFINITY, to: last, isOpen } : undefined;
}
