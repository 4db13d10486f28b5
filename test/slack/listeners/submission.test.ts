import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Level } from '../../../src/access/levels.js';
import { scorecardOf } from '../../../src/requests/parse-scorecard.js';
import { plainRequest } from '../../../src/requests/request.js';
import { inputNames } from '../../../src/slack/forms/draft.js';
import { valuesOf } from '../../../src/slack/forms/read-draft.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest } from '../../store/digest-setup.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, settled, shownModal, submissionOf, useSimulatedTimers } from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.path('rollcall.db'), Date.now);
});
afterEach(() => store.close());

/** The contents of the database. */
function contents(): string {
  const db = new Sqlite(folder.path('rollcall.db'), { readonly: true });
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  const rows = names.map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]);
  db.close();
  return JSON.stringify(rows);
}

const request = { ...plainRequest('tracks'), range: 'last-week' };
const askAbout = () => store.requestLog.record({ channel: 'C1', asker: 'U1', request, requestedAt: 1 });

async function saved() {
  const made = await store.savedReports.save({ channel: 'C1', name: 'Weekly', request, createdBy: 'U1' }, 1);
  return made.ok ? made.value : ((await store.savedReports.findByName('C1', 'Weekly'))?.id ?? '');
}

async function openBuilder(purpose: string) {
  const here = { channel: 'C1', kind: 'member', mayNamePeople: true, at: 1 } as const;
  return store.builderDrafts.open('U1', { values: { ...valuesOf(request), purpose }, here }, 1);
}

const text = (value: string) => ({ type: 'plain_text_input', value });
const channel = { type: 'conversations_select', selected_conversation: 'C2' };
const owner = { type: 'users_select', selected_user: 'U2' };

/** A valid submission of every form, and what it writes. */
const forms: Record<string, () => Promise<ReturnType<typeof shownModal>>> = {
  builder: async () => shownModal('builder', await openBuilder('run'), { report: text('') }),
  'builder to save': async () => {
    const inputs = { report: text(''), [inputNames.savedName]: text('Mine') };
    return shownModal('builder', await openBuilder('save'), inputs);
  },
  share_answer: async () => shownModal('share_answer', await askAbout(), { channel }),
  release_key: async () => shownModal('release_key', '', { key: text('user_metadata.cost_center') }),
  say_purpose_form: async () => {
    const what = { press: 'approval_here', value: 'C1' };
    return shownModal('say_purpose_form', JSON.stringify({ what, channel: 'C1', at: 0 }), {
      purpose: text('Agreed with the council'),
    });
  },
  add_to_scorecard: async () =>
    shownModal('add_to_scorecard', `${await askAbout()} C1`, { scorecard: text('new'), name: text('Mine') }),
  edit_scorecard: async () => {
    const line = { request: plainRequest('tracks') };
    const card = { channel: 'C1', name: 'Card', request: scorecardOf('Card', [line, line]), createdBy: 'U1' };
    const saved = await store.savedReports.save(card, 1, {});
    const id = saved.ok ? saved.value : '';
    return shownModal('edit_scorecard', `${id} 1`, { scorecard_lines: text('tracks\noverdue') });
  },
  save_report: async () => shownModal('save_report', `${await askAbout()} C1`, { name: text('Mine') }),
  rename_saved: async () => shownModal('rename_saved', `${await saved()} 1`, { name: text('Mine') }),
  copy_saved: async () => shownModal('copy_saved', await saved(), { name: text('Mine'), channel }),
  hand_over_saved: async () => shownModal('hand_over_saved', `${await saved()} 1`, { owner }),
  digest_cadence: async () => shownModal('digest_cadence', await askAbout(), { digest_channel: channel }),
  digest_hand_over_form: async () =>
    shownModal('digest_hand_over_form', (await addDigest(store, 2)).id, { owner }),
  access_confirm: async () => {
    const rule = { who: 'person', id: 'U2', reports: ['tracks'], level: 'totals', channel: 'C1' };
    return shownModal('access_confirm', JSON.stringify(rule), { preview: text('') });
  },
  access_add_admin_form: async () =>
    shownModal('access_add_admin_form', 'C1', {
      access_person: { type: 'users_select', selected_user: 'U2' },
    }),
  access_age_form: async () => shownModal('access_age_form', 'C1', { access_days: text('30') }),
};

/** Their validation asks the list of people and admins alone. */
const formsWithoutLookUps = ['release_key', 'say_purpose_form', 'access_add_admin_form', 'access_age_form'];

/** Forms that show another view, or share a file, which a journey tries. */
const previews = ['access_set_form', 'access_rules_form'];

function made(name: string) {
  const make = forms[name];
  if (!make) throw new Error(`There is no form ${name}`);
  return make();
}

/** A store that waits this long before each call. */
function slow(store: Store, milliseconds: number): Store {
  const slowly = (target: object): object =>
    new Proxy(target, {
      get(of, name) {
        const member: unknown = Reflect.get(of, name);
        if (typeof member === 'object' && member !== null) return slowly(member);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          await new Promise((resolve) => setTimeout(resolve, milliseconds));
          return member.apply(of, args);
        };
      },
    });
  return slowly(store) as Store;
}

/** A stub of Slack that is slow at first, for look-ups within the first milliseconds. */
function slowFor(milliseconds: number, takes: { people?: number; channels?: number }) {
  setTimeout(() => Object.assign(takes, { people: 0, channels: 0 }), milliseconds);
  return takes;
}

const errorsOf = (acks: readonly unknown[]) =>
  JSON.stringify((acks[0] as { errors?: unknown })?.errors ?? '');

it('every registered form is tested here', () => {
  const registered = listeningBot({ store }).registered.filter(({ kind }) => kind === 'view');
  const tried = new Set(Object.keys(forms).map((name) => name.split(' ')[0]));
  expect(new Set(registered.map(({ name }) => name))).toEqual(new Set([...tried, ...previews]));
});

describe.each(Object.entries(forms))('the form %s', (_name, make) => {
  it('is acknowledged, and committed', async () => {
    const bot = listeningBot({ store });
    const body = submissionOf(await make());
    const before = contents();
    const { acks } = await bot.deliver(body);
    expect(acks).toEqual([undefined]);
    expect(contents()).not.toBe(before);
  });

  it('is committed once if it is submitted or delivered several times', async () => {
    const bot = listeningBot({ store });
    const body = submissionOf(await make());
    const first = await Promise.all([bot.deliver(body), bot.deliver(body)]);
    const after = contents();
    const toldOnce = bot.calls.length;
    const second = await bot.deliver(body);
    expect([...first, second].map(({ acks }) => acks)).toEqual([[undefined], [undefined], [undefined]]);
    expect(contents()).toBe(after);
    expect(bot.calls).toHaveLength(toldOnce);
  });
});

describe('a form that another process had begun', () => {
  const before = { request: 'arequest22', arrivedAt: 5 };

  it.each(Object.entries(forms))('%s is committed once, or says why it is not', async (name, make) => {
    const body = submissionOf(await make());
    const first = listeningBot({ store });
    await first.deliver(body, before);
    const after = contents();
    const second = listeningBot({ store });
    await second.deliver(body, before);
    const isRun = name === 'builder' || name === 'share_answer';
    expect(second.logged.map(({ msg }) => msg)).toEqual(
      isRun ? ['Another process works on a request, so it is not run here'] : [],
    );
    const told = second.calls.filter(({ args }) =>
      JSON.stringify(args).includes('I restarted after you sent the form “A form”.'),
    );
    expect(told.length).toBeLessThanOrEqual(1);
    // A preview that nobody confirms changes nothing, and neither does a rule that is set again.
    if (name !== 'digest_cadence' && name !== 'access_confirm') expect(contents()).toBe(after);
  });

  it('is used by the delivery that used it before, and by no other', async () => {
    const draft = await openBuilder('run');
    const form = submissionOf(shownModal('builder', draft, { report: text('') }));
    await store.builderDrafts.use(draft, 'U1', 1, before.request);
    const recorded = async () =>
      (await store.requestLog.recent(0, 9)).map(({ id, requestedAt }) => ({ id, requestedAt }));
    await listeningBot({ store }).deliver(form, { ...before, request: 'another222' });
    expect(await recorded()).toEqual([]);
    await listeningBot({ store }).deliver(form, before);
    expect(await recorded()).toEqual([{ id: before.request, requestedAt: before.arrivedAt }]);
  });
});

describe('one deadline', () => {
  it.each([
    ['Slack', () => ({ slackTakes: { people: 2_800 } }), Object.keys(forms)],
    // These forms read nothing from the database here.
    [
      'the database',
      () => ({ store: slow(store, 2_800) }),
      Object.keys(forms).filter((one) => !formsWithoutLookUps.includes(one)),
    ],
  ] as const)('ends each form if %s is slow, and nothing is written later', async (_what, choices, names) => {
    const bodies = [];
    for (const name of names) bodies.push(submissionOf({ ...(await made(name)), id: `V ${name}` }));
    const before = contents();
    useSimulatedTimers();
    const bot = listeningBot({ store, ...choices() });
    const delivered = await settled(Promise.all(bodies.map((body) => bot.deliver(body))));
    for (const { acks, ackedAfterMs } of delivered) {
      expect(errorsOf(acks)).toContain('so nothing was done. Try again.');
      expect(ackedAfterMs).toBeLessThan(2_900);
    }
    // Lets late look-ups end, so that a late write would happen now.
    await vi.advanceTimersByTimeAsync(4_000);
    expect(contents()).toBe(before);
    expect(bot.calls.every(({ method }) => method === 'ack')).toBe(true);
  });

  it('covers several look-ups together that would each be in time', async () => {
    const bodies = [];
    for (const name of ['builder to save', 'copy_saved', 'digest_cadence']) {
      bodies.push(submissionOf(await made(name)));
    }
    useSimulatedTimers();
    const slackTakes = slowFor(2_600, { people: 1_150, channels: 2_000 });
    const waiting = bodies.map((body) => listeningBot({ store, slackTakes }).deliver(body));
    for (const { ackedAfterMs } of await settled(Promise.all(waiting)))
      expect(ackedAfterMs).toBeLessThan(2_900);
  });

  it('lets a slow schedule be validated after the form has closed', async () => {
    const body = submissionOf(await made('digest_cadence'));
    useSimulatedTimers();
    const bot = listeningBot({ store, slackTakes: slowFor(2_200, { channels: 2_500 }) });
    const { acks } = await settled(bot.deliver(body));
    expect(acks).toEqual([undefined]);
    expect(bot.calls.at(-1)).toMatchObject({ method: 'chat.postEphemeral', args: { channel: 'C2' } });
    expect(JSON.stringify(bot.calls.at(-1))).toContain('Confirm');
  });
});

describe('a summary', () => {
  it('is shared once by the two forms of a double press, and the second one says so', async () => {
    const bot = listeningBot({ store });
    const requestId = await askAbout();
    const share = (id: string) =>
      bot.deliver(submissionOf(shownModal('share_answer', requestId, { channel }, id)));
    const [first, second] = await Promise.all([share('V1'), share('V2')]);
    expect([first?.acks, second?.acks]).toEqual([[undefined], [undefined]]);
    expect(await store.requestLog.recent(0, 10)).toHaveLength(2);
    expect(errorsOf((await share('V3')).acks)).toContain('You just shared this there');
    const said = bot.calls.filter(({ args }) => JSON.stringify(args).includes('You just shared this'));
    expect(said).toHaveLength(2);
  });

  const limited = 'limited to your team, so it stays in your direct messages';
  it.each<[string, Level, object, string | undefined]>([
    ['with a file, at team', 'team', { file: 'csv' as const }, limited],
    ['with columns, at team', 'team', { columns: ['departments'] }, limited],
    ['of totals, at team', 'team', {}, undefined],
    ['with a file, at everything', 'everything', { file: 'csv' as const }, undefined],
    ['with a file, once the level is totals', 'totals', { file: 'csv' as const }, 'leave out the file'],
    ['of totals, at totals', 'totals', {}, undefined],
    ['of totals, once the level is nothing', 'nothing', {}, 'You may not ask for this report.'],
  ])('is shared only if it is about everybody: %s', async (_what, level, more, refusal) => {
    const access = { accessOf: async () => ({ level, address: 'ada@example.com' }) };
    const bot = listeningBot({ store, changes: { access, smallestGroup: 5 } as never });
    const request = { ...plainRequest('tracks'), ...more };
    const entry = { channel: 'D1', asker: 'U1', request, requestedAt: 1 };
    const id = await store.requestLog.record(entry);
    const { acks } = await bot.deliver(submissionOf(shownModal('share_answer', id, { channel })));
    if (refusal === undefined) expect(acks).toEqual([undefined]);
    else expect(errorsOf(acks)).toContain(refusal);
    expect(await store.requestLog.recent(0, 10)).toHaveLength(refusal === undefined ? 2 : 1);
  });
});
