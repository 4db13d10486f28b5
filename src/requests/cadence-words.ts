/** The words that a cadence can begin with, each with examples of it and what they mean. */
export const cadences = [
  { word: 'hourly', example: 'hourly', words: 'Every hour; also hourly :15' },
  { word: 'daily', example: 'daily 17:00', words: 'Every day; times also as 9, 9am, 9:30pm' },
  { word: 'weekdays', example: 'weekdays 8:30', words: 'Monday to Friday' },
  { word: 'weekly', example: 'weekly mon,thu 09:00', words: 'Every week on these days' },
  { word: 'every', example: 'every 2 weeks fri 16:00', words: 'Counted from the first run' },
  {
    word: 'monthly',
    example: 'monthly 1 09:00',
    words: 'One day of the month; also monthly last 16:00, monthly last fri 15:00, monthly first mon 9',
  },
  {
    word: 'quarterly',
    example: 'quarterly 1 09:00',
    words: 'One day of January, April, July and October',
  },
  {
    word: 'cron',
    example: 'cron "0 9 * * 1-5"',
    words: 'Minute, hour, day of month, month, day of week',
  },
] as const;

export type CadenceWord = (typeof cadences)[number]['word'];

export const cadenceWords: readonly string[] = cadences.map(({ word }) => word);

/** The word that a cadence begins with, in any case. */
export function cadenceWord(typed: string): CadenceWord | undefined {
  const lower = typed.toLowerCase();
  return cadences.find(({ word }) => word === lower)?.word;
}

/** How a cadence is typed that begins with a word. */
export function cadenceExample(word: CadenceWord): string {
  return cadences.find((cadence) => cadence.word === word)?.example ?? word;
}
