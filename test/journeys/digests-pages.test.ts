import { describe, expect, it } from 'vitest';
import { wordsIn } from '../../playground/slack/server/script/find.js';
import type { View } from '../../playground/slack/server/script/script.js';
import { isDigest, schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { newIn } from './watching.js';

const work = testWorkspace();
const { say, scheduled } = schedulingAt(work);

describe('more digests than are listed at once', () => {
  it('are turned over in the list and on the Home tab, where their runs have links', async () => {
    const ada = work().slack.as('ada');
    const hours = Array.from({ length: 10 }, (_, i) => `${String(i + 8).padStart(2, '0')}:00`);
    for (const hour of hours)
      await scheduled(`/report schedule tracks last-month daily ${hour}`, '#people-team');
    const hoursIn = (words: string) => [...words.matchAll(/every day at (\d\d:\d\d)/g)].map(([, at]) => at);
    const list = await say('/report list', '#people-team');
    expect(hoursIn(list.words)).toEqual(hours.slice(0, 8));
    await ada.click(list, 'More digests');
    const isLast = (words: string) => hoursIn(words).join() === hours.slice(8).join();
    const second = await work().slack.waitForMessage(
      '#people-team',
      (one) => one.ts === list.ts && isLast(one.words),
    );
    expect(second.words).not.toContain('More digests');
    await ada.click(second, 'Earlier digests');
    const first = await work().slack.waitForMessage(
      '#people-team',
      (one) => one.ts === list.ts && one.says('More digests'),
    );
    expect(hoursIn(first.words)).toEqual(hours.slice(0, 8));
    await newIn(work(), '#people-team', () => ada.click(first, 'Send now'), isDigest, 8000);

    const wordsOf = (view: View) => wordsIn(view.content.blocks).join('\n');
    const all = new Set<string | undefined>();
    ada.openHome();
    const before = await ada.waitForHome((view) => hoursIn(wordsOf(view)).length > 0);
    for (const at of hoursIn(wordsOf(before))) all.add(at);
    expect(JSON.stringify(before.content)).toMatch(/tracks last-month.*"type":"link"/);
    await ada.click('home', 'More digests');
    const after = await ada.waitForHome((view) => wordsOf(view).includes('Earlier digests'));
    for (const at of hoursIn(wordsOf(after))) all.add(at);
    for (const hour of hours) expect(all).toContain(hour);
    expect(work().slack.refusals).toEqual([]);
  }, 60_000);
});
