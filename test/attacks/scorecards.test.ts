import { afterAll, describe, expect, it } from 'vitest';
import { ada, noah } from '../digests/test-workspace.js';
import { startHostedBot } from '../journeys/bot-process.js';
import { openSeveralBots, sharedBots } from '../journeys/several-bots.js';
import { endEveryProcess } from '../process.js';
import { answer } from '../reporting-api/fault-server.js';

/*
 * Lines of a scorecard stand side by side, so one can be subtracted from another: what they count, and what their changes
 * say about the period before.
 */

afterAll(endEveryProcess);

/** Department, location, people in March 2025, people in the months before. Five of Sales in Paris are new in March. */
const company = [
  ['Sales', 'Berlin', 12, 12],
  ['Sales', 'Paris', 6, 1],
  ['Labs', 'Berlin', 9, 9],
  ['Labs', 'Paris', 2, 2],
] as const;

const peopleIn = (isMarch: boolean) =>
  company.flatMap(([department, location, now, before], group) =>
    Array.from({ length: isMarch ? now : before }, (_, n) => ({
      userid: `u${group}-${n}`,
      email: `u${group}-${n}@example.test`,
      departments: [department],
      locations: [location],
      // Half as many are active before.
      sessions: isMarch || n % 2 === 0 ? 1 : 0,
    })),
  );

const midFebruary = Date.UTC(2025, 1, 15) / 1000;

const openAttack = sharedBots(async (location: string, folder: string, level: string) => {
  const bots = await openSeveralBots(location, folder, { start: startHostedBot });
  const { slack, service } = bots;
  service.always((...call) => {
    const { path = '', body = '{}' } = service.seen.at(-1) ?? {};
    const [from] = path.split('/').slice(-2);
    const { user_filter: filter = {} } = JSON.parse(body);
    const matches = (of: readonly string[], entries?: string) =>
      entries === undefined || entries.split(',').some((entry) => of.includes(entry));
    const found = peopleIn(Number(from) > midFebruary).filter(
      ({ departments, locations }) =>
        matches(departments, filter.departments) && matches(locations, filter.locations),
    );
    return answer(JSON.stringify(found))(...call);
  });
  await bots.start({ SMALLEST_GROUP: '5', DEFAULT_ACCESS: level });

  async function says(command: string, place: string, wanted: RegExp) {
    const before = new Set(slack.messages(place).map(({ ts }) => ts));
    await slack.as('noah').command(command, place);
    return slack.waitForMessage(place, ({ ts, text }) => !before.has(ts) && wanted.test(text), 20_000);
  }

  let saved = 0;
  return {
    close: bots.close,
    store: bots.store,
    async card(lines: readonly string[], place = '#shared-work') {
      saved += 1;
      const name = `Look ${saved}`;
      await says(`/report save ${name}: ${lines.join('; ')}`, place, /Saved/);
      const ask = () => says(`/report ${name}`, place, new RegExp(`^${name}\\.`));
      return {
        ask,
        async detailsOf({ ts }: { readonly ts: string }) {
          const card = slack.messages(place).find((one) => one.ts === ts);
          if (!card) throw new Error('The card is gone');
          await slack.as('noah').click(card, 'Details');
          return slack.waitForMessage(place, ({ threadTs }) => threadTs === ts, 20_000);
        },
      };
    },
  };
});

/** The lines of a card, as a screen reader says them. */
const linesOf = ({ text }: { readonly text: string }) =>
  text.match(/\d\. .*?(?=\d\. |Choose a line)/gs) ?? [];

const sales = 'engagement 2025-03 departments:Sales';
const salesInBerlin = `${sales} locations:Berlin`;
const labs = 'engagement 2025-03 departments:Labs';
const noChange = /No changes: too few people match in the period before/g;

describe('two lines of a scorecard', () => {
  it('whose people differ by few are not both answered', async () => {
    const { card } = await openAttack('team');
    const { ask } = await card([labs, `${labs} locations:Berlin`, sales]);
    const [all = '', berlin = '', others = ''] = linesOf(await ask());
    expect(all).toMatch(/\(11 of 11\)/);
    expect(berlin).toMatch(/Its people differ from those of line 1 by fewer than 5/);
    expect(berlin).not.toMatch(/\d+ of \d+/);
    expect(others).toMatch(/\(18 of 18\)/);
  }, 60_000);

  it('whose people of the period before differ by few have no two changes, now and when asked again', async () => {
    const { card } = await openAttack('team');
    const { ask, detailsOf } = await card([sales, salesInBerlin, labs]);
    for (let time = 1; time <= 2; time += 1) {
      const answered = await ask();
      const [all = '', berlin = '', others = ''] = linesOf(answered);
      expect(all).toMatch(/\(18 of 18\) \(after 7 of 13\)/);
      expect(berlin).toMatch(/\(12 of 12\)/);
      expect(berlin).not.toMatch(/after|up|down|no change|of 6\b/);
      expect(others).toMatch(/\(11 of 11\) \(after 6 of 11\)/);
      const { text, words } = await detailsOf(answered);
      expect(text.match(noChange)).toHaveLength(1);
      expect(words).not.toMatch(/6 of 12/);
    }
  }, 60_000);

  it('are compared across periods: what one counts now, another may count before', async () => {
    const { card } = await openAttack('team');
    const { ask } = await card([sales, 'engagement 2025-02 departments:Sales locations:Berlin']);
    const [march = '', february = ''] = linesOf(await ask());
    expect(march).toMatch(/\(18 of 18\)/);
    expect(march).not.toMatch(/of 13/);
    expect(february).toMatch(/\(6 of 12\) \(no change\)/);
  }, 60_000);

  it('of which one is of a report that its reader may not ask for: the other is answered', async () => {
    const { card, store } = await openAttack('totals');
    const subject = { kind: 'person', id: noah } as const;
    await store.accessRules.set({ subject, report: 'tracks', level: 'nothing' }, { by: ada, at: Date.now() });
    const { ask, detailsOf } = await card(['tracks last-week', sales, 'engagement email:me 2025-03']);
    const answered = await ask();
    const [tracks = '', all = '', own = ''] = linesOf(answered);
    expect(tracks).toMatch(/You may not ask for this report/);
    expect(tracks).not.toMatch(/\d+ of \d+|\d%/);
    expect(all).toMatch(/\(18 of 18\)/);
    expect(own).toMatch(/not shown here/);
    const { text } = await detailsOf(answered);
    expect(text).not.toMatch(/Track enrolments/);
    expect(text).toMatch(/18 of 18/);
  }, 60_000);

  it('are all answered to those who may see everybody', async () => {
    const { card } = await openAttack('everything');
    const { ask } = await card([sales, salesInBerlin, labs, `${labs} locations:Berlin`], '@noah');
    const text = linesOf(await ask()).join(' ');
    for (const share of ['7 of 13', '6 of 12', '6 of 11', '5 of 9']) expect(text).toContain(`after ${share}`);
  }, 60_000);
});
