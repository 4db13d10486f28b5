import type { AnyBlock, InputBlock } from '@slack/types';
import {
  type ConditionField,
  type ConditionKind,
  conditionField,
  conditionFields,
} from '../../catalogue/conditions.js';
import { fieldOf, type Report } from '../../catalogue/index.js';
import { contradictory, contradictsState } from '../../requests/option-combinations.js';
import { readOptions } from '../../requests/options.js';
import { canonicalValue } from '../../requests/parse-row-condition.js';
import { problemMessageText } from '../../requests/problem-messages.js';
import { rowConditionSentence } from '../../requests/row-condition-words.js';
import {
  type ConditionSign,
  formatConditionOption,
  orderedConditions,
  type RowCondition,
} from '../../requests/row-conditions.js';
import { compact } from '../../requests/text.js';
import { quoteEntry } from '../../requests/tokens.js';
import { button, buttons, header, limits } from '../messages/blocks.js';
import { type BuilderDraft, builderActions, choiceIn, inputNames, noChoice, reportChoices } from './draft.js';
import { type Choice, type FormValues, input, selectInput, textIn, textInput } from './inputs.js';
import type { Refuse } from './ranges.js';

/** How many conditions have inputs of their own. Further ones are typed, because a form has 100 blocks. */
const maxSlots = 5;

const signsByKind: Readonly<Record<ConditionKind, readonly (readonly [ConditionSign, string])[]>> = {
  number: [
    ['>', 'is more than'],
    ['>=', 'is at least'],
    ['<', 'is less than'],
    ['<=', 'is at most'],
    ['=', 'is'],
    ['!', 'is not'],
    ['none', 'is empty'],
    ['any', 'is not empty'],
  ],
  date: [
    ['=', 'is in'],
    ['!', 'is not in'],
    ['>', 'is after'],
    ['>=', 'is in or after'],
    ['<', 'is before'],
    ['<=', 'is in or before'],
    ['none', 'is empty'],
    ['any', 'is not empty'],
  ],
  list: [
    ['!', 'has none of'],
    ['=', 'has one of'],
    ['none', 'is empty'],
    ['any', 'is not empty'],
  ],
  'yes-no': [
    ['=', 'is'],
    ['!', 'is not'],
    ['none', 'is empty'],
    ['any', 'is not empty'],
  ],
  text: textSigns(),
  any: textSigns(),
};

/** Texts such as grades may be numbers. */
function textSigns(): readonly (readonly [ConditionSign, string])[] {
  return [
    ['!', 'is none of'],
    ['=', 'is one of'],
    ['>', 'is more than'],
    ['>=', 'is at least'],
    ['<', 'is less than'],
    ['<=', 'is at most'],
    ['none', 'is empty'],
    ['any', 'is not empty'],
  ];
}

/** The names of the inputs of one condition. Slack keeps values by name, so those of each kind have their own. */
const nameOf = (report: Report, slot: number, part: 'field' | 'words') =>
  `${inputNames.condition(report.name)}:${slot}:${part}`;
const partOf = (report: Report, slot: number, part: 'sign' | 'value', kind: ConditionKind) =>
  `${inputNames.condition(report.name)}:${slot}:${part}-${kind}`;

/** The inputs for conditions on rows: a field, what its value has to be, and the value. */
export function conditionInputs(draft: BuilderDraft, report: Report): AnyBlock[] {
  const shown = shownSlots(draft, report);
  const slots = Array.from({ length: shown }, (_, slot) => slotInputs(draft, report, slot)).flat();
  const isFull = shown === maxSlots;
  return compact(
    header('Only rows where…'),
    slots,
    isFull
      ? furtherInput(draft, report)
      : buttons(button(builderActions.addCondition, 'Add a condition', 'add')),
  );
}

/** The draft with inputs for one more condition. */
export function withCondition(draft: BuilderDraft, report: Report): BuilderDraft {
  return { ...draft, conditionsShown: Math.min(maxSlots, shownSlots(draft, report) + 1) };
}

function shownSlots(draft: BuilderDraft, report: Report): number {
  const filled = Array.from({ length: maxSlots }, (_, slot) => slot + 1).filter((slot) =>
    fieldIn(draft, report, slot - 1),
  );
  const isFull = textIn(draft.values, nameOf(report, maxSlots, 'words')).trim() !== '';
  return isFull ? maxSlots : Math.max(filled.at(-1) ?? 0, draft.conditionsShown ?? 0);
}

function fieldIn(draft: BuilderDraft, report: Report, slot: number): ConditionField | undefined {
  const chosen = choiceIn(draft, nameOf(report, slot, 'field'));
  return chosen === noChoice ? undefined : conditionField(report, chosen);
}

function slotInputs(draft: BuilderDraft, report: Report, slot: number): InputBlock[] {
  const field = fieldIn(draft, report, slot);
  const name = nameOf(report, slot, 'field');
  const choice = selectInput(
    name,
    slot === 0 ? 'Field' : 'And field',
    fieldChoices(report, field),
    field?.id ?? noChoice,
    { dispatches: true },
  );
  if (!field) return [choice];
  const { kind } = field;
  const signs = signsByKind[kind].map(([value, text]): Choice => ({ value: signValue(value), text }));
  const sign = signIn(draft, report, slot, kind);
  return compact(
    choice,
    selectInput(partOf(report, slot, 'sign', kind), field.label, signs, signValue(sign), {
      dispatches: true,
    }),
    sign !== 'none' && sign !== 'any' && valueInput(draft, report, slot, kind),
  );
}

/** Fields by their heading, as in the menu of columns. */
function fieldChoices(report: Report, chosen: ConditionField | undefined) {
  const fields = conditionFields(report);
  const all = chosen && !fields.some(({ id }) => id === chosen.id) ? [...fields, chosen] : fields;
  const groups = new Map<string, Choice[]>([['', [{ value: noChoice, text: 'No condition' }]]]);
  for (const { id, label } of all) {
    const group = fieldOf(report, id)?.group ?? 'More';
    groups.set(group, [...(groups.get(group) ?? []), { value: id, text: label }]);
  }
  return [...groups].map(([label, choices]) => ({ label: label || 'None', choices }));
}

/** The values of options must not read as `none` for no choice. */
function signValue(sign: ConditionSign): string {
  return `sign ${sign}`;
}

function signIn({ values }: BuilderDraft, report: Report, slot: number, kind: ConditionKind): ConditionSign {
  const chosen = textIn(values, partOf(report, slot, 'sign', kind));
  const signs = signsByKind[kind].map(([sign]) => sign);
  return signs.find((sign) => signValue(sign) === chosen) ?? signs[0] ?? '=';
}

function valueInput(draft: BuilderDraft, report: Report, slot: number, kind: ConditionKind): InputBlock {
  const name = partOf(report, slot, 'value', kind);
  const value = textIn(draft.values, name);
  switch (kind) {
    case 'number':
      // Exclusions may have several numbers, which an input for one number cannot show.
      return textInput(name, { label: 'Number', placeholder: '60' }, value, { optional: true });
    case 'date':
      return textInput(
        name,
        { label: 'Date or range', placeholder: '2026-03-05, 2026-Q1 or this-year' },
        value,
        {
          optional: true,
        },
      );
    case 'yes-no': {
      const choices = [
        { value: 'true', text: 'Yes' },
        { value: 'false', text: 'No' },
      ];
      return selectInput(name, 'Value', choices, value === 'false' ? value : 'true');
    }
    default:
      return textInput(
        name,
        { label: 'Values', hint: 'Separate values with commas. A value with a comma goes in quotes.' },
        value,
        { optional: true, maxLength: limits.inputCharacters },
      );
  }
}

function furtherInput(draft: BuilderDraft, report: Report): InputBlock {
  const name = nameOf(report, maxSlots, 'words');
  return input(
    name,
    { label: 'Further conditions', hint: 'As in a command: departments:!Sales hired_on:this-year' },
    { type: 'plain_text_input', multiline: true, initial_value: textIn(draft.values, name) || undefined },
    { optional: true },
  );
}

/** The values of inputs for these conditions. */
export function conditionValues(report: Report, conditions: readonly RowCondition[] = []): FormValues {
  const slots = conditions.slice(0, maxSlots).flatMap(({ field: id, sign, values }, slot) => {
    const kind = conditionField(report, id)?.kind ?? 'text';
    return [
      [nameOf(report, slot, 'field'), id],
      [partOf(report, slot, 'sign', kind), signValue(sign)],
      [partOf(report, slot, 'value', kind), values.map(quoteInForm).join(', ')],
    ] as const;
  });
  const further = conditions.slice(maxSlots).map((condition) => formatConditionOption(report, condition));
  return { ...Object.fromEntries(slots), [nameOf(report, maxSlots, 'words')]: further.join('\n') };
}

function quoteInForm(value: string): string {
  return /[,"“”„‟]/.test(value) ? quoteEntry(value) : value;
}

/** The conditions of the form, in the order of a request. */
export function conditionsIn(draft: BuilderDraft, report: Report, refuse: Refuse): RowCondition[] {
  const slots = Array.from({ length: maxSlots }, (_, slot) => slotCondition(draft, report, slot, refuse));
  const words = nameOf(report, maxSlots, 'words');
  const ofSlots = slots.filter((slot) => slot !== undefined);
  const all = [...ofSlots, ...furtherConditions(draft, report, words, refuse)];
  const two = contradictory(report, all);
  if (two) {
    const [one, other] = two.map((condition) => `“${formatConditionOption(report, condition)}”`);
    const slot = all.indexOf(two[1]);
    const input = slot < maxSlots ? nameOf(report, slot, 'field') : words;
    refuse(input, `No row can meet both ${one} and ${other}.`);
  }
  const choices = reportChoices(draft);
  for (const [slot, condition] of all.entries()) {
    if (contradictsState(choices, condition) === undefined) continue;
    const input = slot < maxSlots ? nameOf(report, slot, 'field') : words;
    refuse(
      input,
      `No row of this view, or in these states, can meet “${formatConditionOption(report, condition)}”.`,
    );
  }
  return [...orderedConditions(report, all)];
}

function slotCondition(
  draft: BuilderDraft,
  report: Report,
  slot: number,
  refuse: Refuse,
): RowCondition | undefined {
  const field = fieldIn(draft, report, slot);
  if (!field) return undefined;
  const { id, kind, name } = field;
  const sign = signIn(draft, report, slot, kind);
  if (sign === 'none' || sign === 'any') return { field: id, sign, values: [] };
  const inputName = partOf(report, slot, 'value', kind);
  const typed =
    kind === 'yes-no' ? textIn(draft.values, inputName) || 'true' : textIn(draft.values, inputName);
  const entries = entriesIn(typed);
  const isList = sign === '!' || (sign === '=' && kind !== 'number' && kind !== 'date');
  if (entries.length === 0) return void refuse(inputName, 'Enter a value, or choose “No condition”.');
  if (!isList && entries.length > 1) return void refuse(inputName, 'Enter one value.');
  const values: string[] = [];
  for (const entry of entries) {
    const read = canonicalValue(entry, field, sign);
    if ('reason' in read) {
      const cause = { kind: 'condition', option: `${name}:`, reason: read.reason, field } as const;
      return void refuse(inputName, rowConditionSentence(cause, `“${entry}”`));
    }
    values.push(read.value);
  }
  return { field: id, sign, values: [...new Set(values)] };
}

/** Values with commas between them; quotes hold a comma. */
function entriesIn(typed: string): readonly string[] {
  const parts = typed.match(/(?:"[^"]*"|“[^”]*”|[^,])+/g) ?? [];
  return parts
    .map((part) => part.replace(/"([^"]*)"|“([^”]*)”/g, '$1$2').trim())
    .filter((part) => part !== '');
}

function furtherConditions(
  { values }: BuilderDraft,
  report: Report,
  name: string,
  refuse: Refuse,
): readonly RowCondition[] {
  const text = textIn(values, name);
  if (text.trim() === '') return [];
  const read = readOptions({ text, from: 0, until: text.length, report, scheduled: false });
  if (!read.ok) {
    refuse(name, problemMessageText(read.refusal));
    return [];
  }
  const { conditions, ...others } = read.value;
  const isAlone =
    others.filters.size + others.titles.length + others.columns.size + others.states.size === 0 &&
    others.range === undefined;
  if (!isAlone) refuse(name, 'Type conditions alone here, such as departments:!Sales.');
  return conditions.map(({ condition }) => condition);
}
