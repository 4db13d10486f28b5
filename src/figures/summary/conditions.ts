import { conditionField } from '../../catalogue/conditions.js';
import type { Report } from '../../catalogue/index.js';
import { joinWords } from '../../requests/join-words.js';
import { entryRefersToAsker } from '../../requests/request.js';
import type { ConditionSign, RowCondition } from '../../requests/row-conditions.js';
import { displayText } from '../../requests/text.js';

const maxLength = 300;

/** `Departments: not Sales, HR`, `Score: below 60`, `Hired on: this year`, `Last sign-in: none`. */
export function formatCondition(report: Report, condition: RowCondition, asker: string): string {
  const { field, sign, values } = condition;
  const known = conditionField(report, field);
  const isDate = known?.kind === 'date';
  const said = values.map((value) => {
    if (entryRefersToAsker(field, value)) return asker;
    if (isDate)
      return value
        .replace(/^since:/, 'since ')
        .replaceAll('..', ' to ')
        .replace(/(?<=[a-z])-|(?<=\d)-(?=[a-z])/g, ' ');
    if (known?.kind === 'yes-no') return value === 'true' ? 'yes' : 'no';
    return displayText(value, maxLength);
  });
  const before = (isDate ? signsOfDates : signsOfNumbers)[sign];
  const words = sign === '=' ? joinWords(said, 'or') : said.join(', ');
  return displayText(`${known?.label ?? field}: ${[before, words].filter(Boolean).join(' ')}`, maxLength);
}

const signsOfNumbers: Readonly<Record<ConditionSign, string>> = {
  '=': '',
  '!': 'not',
  '>': 'above',
  '>=': 'at least',
  '<': 'below',
  '<=': 'at most',
  none: 'none',
  any: 'any',
};

const signsOfDates: Readonly<Record<ConditionSign, string>> = {
  ...signsOfNumbers,
  '>': 'after',
  '>=': 'from',
  '<': 'before',
  '<=': 'until',
};
