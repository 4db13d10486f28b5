/** The words that a cadence can begin with, each with an example of it. */
export const cadences = [
  { word: 'hourly', example: 'hourly :15' },
  { word: 'daily', example: 'daily 17:00' },
  { word: 'weekdays', example: 'weekdays 8:30' },
  { word: 'weekly', example: 'weekly mon,thu 09:00' },
  { word: 'every', example: 'every 2 weeks fri 16:00' },
  { word: 'monthly', example: 'monthly last fri 15:00' },
  { word: 'quarterly', example: 'quarterly 1 09:00' },
  { word: 'cron', example: 'cron "0 9 * * 1-5"' },
] as const;

export const cadenceWords: readonly string[] = cadences.map(({ word }) => word);
