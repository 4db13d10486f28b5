/** How values are written in an answer, as SQL for one argument of `json_object`. */

/** Epoch seconds become ISO 8601 text in UTC: `2026-11-20T09:30:00Z`. */
export function instant(seconds: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%SZ', ${seconds}, 'unixepoch')`;
}

/** 1 and 0 become true and false; null stays null. */
export function yesNo(truth: string): string {
  return `CASE ${truth} WHEN 1 THEN json('true') WHEN 0 THEN json('false') END`;
}

/** Text that is JSON becomes the list or the object it stands for. */
export function structure(json: string): string {
  return `json(${json})`;
}

/** An object of named values, or null where the row it is about is missing. */
export function objectOf(id: string, members: Readonly<Record<string, string>>): string {
  const named = Object.entries(members).map(([name, value]) => `'${name}', ${value}`);
  return `CASE WHEN ${id} IS NOT NULL THEN json_object(${named.join(', ')}) END`;
}
