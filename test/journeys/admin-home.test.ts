import { describe, expect, it } from 'vitest';
import { wordsIn } from '../../playground/slack/server/script/find.js';
import type { View } from '../../playground/slack/server/script/script.js';
import { schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { ROLLCALL_ADMINS: 'U00ADA0001' } }));
const { scheduled } = schedulingAt(work);

const words = ({ content }: View) => wordsIn(content.blocks).join('\n');
const saying = (text: string) => (view: View) => words(view).includes(text);

describe('the Home tab of an admin', () => {
  it('shows requests without names, all digests and the way to the rules and the record', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    const noah = slack.as('noah');
    await newIn(
      work(),
      '#learning',
      () => noah.command('/report engagement last-week', '#learning'),
      isSummary('Engagement'),
    );
    await scheduled('/report schedule tracks last-month daily 09:00', '@noah', 'noah');

    ada.openHome();
    const home = await ada.waitForHome(saying('For admins'));
    expect(words(home)).toMatch(/engagement: 1 request \(\w+ 1\)/);
    expect(words(home)).toContain('1 digest.');
    expect(words(home)).toContain('No limit was reached.');
    const blocks = JSON.stringify(home.content.blocks);
    expect(blocks.slice(blocks.indexOf('For admins'))).not.toMatch(/U00[A-Z]+/);
    expect(words(home)).toContain('its owner’s direct messages with me');

    noah.openHome();
    const theirs = await noah.waitForHome(saying('My recent runs'));
    expect(words(theirs)).not.toContain('For admins');

    slack.as('gil').openHome();
    const ofGuest = await slack.as('gil').waitForHome(saying('Guests cannot ask'));
    expect(words(ofGuest)).toContain('For questions about Rollcall, ask Ada Moreau.');

    const direct = () => slack.messages('@ada');
    const before = direct().length;
    await ada.click('home', 'Access levels');
    await slack.waitFor(() => direct().length > before, 8000);
    await ada.click('home', 'Record of access');
    await slack.waitFor(() => direct().length > before + 1, 8000);
    expect(slack.refusals).toEqual([]);
  }, 60_000);
});
