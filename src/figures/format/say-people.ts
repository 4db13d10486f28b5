import type { FigureValue, PeopleToLookAt } from '../result.js';
import { sayValue } from './say-values.js';
import { showable } from './showable.js';
import { sayCount } from './values.js';

const longestName = 80;

const titles: Readonly<Record<PeopleToLookAt['why'], string>> = {
  'most-overdue': 'Longest overdue',
  stalled: 'Stalled',
  'never-signed-in': 'Never signed in',
};

/** The people to look at: a title that says how many there are, and a line for each who is listed. */
export function sayPeople({ why, rows, listed }: PeopleToLookAt): {
  title: string;
  lines: readonly string[];
} {
  const some = listed.length < rows ? `${sayCount(listed.length)} of ${sayCount(rows)}` : sayCount(rows);
  return {
    title: `${titles[why]} (${some})`,
    lines: listed.map(({ name, about, value }) =>
      [
        showable(name, longestName),
        ...(about === undefined ? [] : [showable(about, longestName)]),
        ...(value ? [sayWhy(why, value)] : []),
      ].join(', '),
    ),
  };
}

function sayWhy(why: PeopleToLookAt['why'], value: FigureValue): string {
  if (why !== 'most-overdue') return sayValue(value);
  const isToday = value.kind === 'amount' && value.amount < 1;
  return isToday ? 'overdue for less than a day' : `${sayValue(value)} overdue`;
}
