import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { wordsIn } from '../../playground/slack/server/script/find.js';
import type { Actor, SeenMessage, View } from '../../playground/slack/server/script/script.js';
import type { ReportRequest } from '../../src/requests/request.js';
import type { TestWorkspace } from './test-workspace.js';
import { newIn } from './watching.js';

/** True for the builder, false for the loading view before it. */
export function isBuilder(view: View): boolean {
  return view.content.callback_id === 'builder';
}

/** Opens the builder with `/report`. */
export async function openBuilder(who: Actor, channel: string): Promise<View> {
  const before = who.modal()?.id;
  await who.command('/report', channel);
  return who.waitForModal((view) => view.id !== before && isBuilder(view));
}

/** Chooses an option that updates the form, and waits for the update. */
export async function chooseAndWait(
  who: Actor,
  input: string,
  choice: string,
  changed: (view: View) => boolean,
): Promise<View> {
  await who.choose('modal', input, choice);
  return who.waitForModal(changed);
}

/** Shows the common filters in the open builder. */
export async function showFilters(who: Actor): Promise<View> {
  await who.click('modal', 'Add filters');
  return who.waitForModal(has('Fewer filters'));
}

/** True for a view with an input or button of this name, label or text. */
export function has(name: string) {
  return (view: View): boolean =>
    view.content.blocks.some(({ block_id: id }) => id === name) ||
    wordsIn(view.content.blocks).includes(name);
}

/** The values of an input: the chosen options, the text, or the time. */
export function valuesOf(view: View | undefined, input: string): readonly string[] {
  const [held] = Object.values(view?.state[input] ?? {});
  if (!held) throw new Error(`There is no input ${input}`);
  const { selected_options: several, selected_option: one, ...plain } = held as Record<string, unknown>;
  const chosen = Array.isArray(several) ? several : one ? [one] : [];
  const text = plain.value ?? plain.selected_time;
  return typeof text === 'string' ? [text] : chosen.map((option) => String(option.value));
}

/** Submits the builder, and returns the answer that is posted to the channel. */
export function submitted(
  work: TestWorkspace,
  who: Actor,
  channel: string,
  values: Readonly<Record<string, string | readonly string[] | null>> = {},
): Promise<SeenMessage> {
  return newIn(
    work,
    channel,
    () => who.submit(values),
    (message) => message.words.includes('/report '),
  );
}

/** How many requests the bot has run. */
export function requestsRun(work: TestWorkspace): number {
  return Number(
    inDatabase(work, (database) => database.prepare('SELECT COUNT(*) FROM requests').pluck().get()),
  );
}

/** The last request in the request log. */
export function lastRequest(work: TestWorkspace): ReportRequest {
  const newest = 'SELECT request FROM requests ORDER BY requested_at DESC, rowid DESC LIMIT 1';
  return JSON.parse(String(inDatabase(work, (database) => database.prepare(newest).pluck().get())));
}

/** Deletes all open forms, as the bot does after a week. */
export function deleteOpenForms(work: TestWorkspace): void {
  inDatabase(work, (database) => database.prepare('DELETE FROM builder_drafts').run());
}

/** Changes the last request in the database, as if it came from an older catalogue. */
export function changeLastRequest(work: TestWorkspace, changes: Partial<ReportRequest>): void {
  const request = JSON.stringify({ ...lastRequest(work), ...changes });
  inDatabase(work, (database) =>
    database
      .prepare(
        'UPDATE requests SET request = ? WHERE rowid = (SELECT rowid FROM requests ORDER BY requested_at DESC LIMIT 1)',
      )
      .run(request),
  );
}

function inDatabase<Found>({ folder }: TestWorkspace, act: (database: Sqlite.Database) => Found): Found {
  const database = new Sqlite(join(folder, 'rollcall.db'));
  try {
    return act(database);
  } finally {
    database.close();
  }
}
