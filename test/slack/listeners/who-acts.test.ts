import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRequest } from '../../../src/requests/request.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, payloadFor, pressOf, type Registered, shownModal } from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

/** Events that Slack reports about channels, people and groups. Nobody asks for anything with them. */
const factsOfSlack = /^(?:channel_|group_|member_|user_change|subteam_|app_uninstalled|tokens_revoked)/;

/** Reads that decide how a command is parsed, and how a refusal reaches its reader. Nothing of them is shown. */
const harmlessReads = ['savedReports.namesIn', 'approvals.isChannelApproved', 'approvals.lostApproval'];

/** Records the methods of the store that listeners call, such as `digests.find`. */
function watched(real: Store) {
  const used: string[] = [];
  const watchedStore = new Proxy(real, {
    get: (parts, part: string) => {
      const found = Reflect.get(parts, part);
      if (typeof found !== 'object' || found === null) return found;
      return new Proxy(found, {
        get: (methods, method: string) => {
          used.push(`${part}.${method}`);
          return Reflect.get(methods, method);
        },
      });
    },
  });
  return { used, watchedStore };
}

const refusals = {
  guest: 'Guests cannot ask for reports.',
  outsider: 'Only members of this workspace can ask for reports.',
  bot: 'Only people can ask for reports.',
  unknown: 'Slack could not tell me who you are just now.',
} as const;

function actionsInForms({ kind, name }: Registered): boolean {
  return kind === 'action' && /^builder_|^digest_kind$|^digest_test_form$|^access_who$/.test(name);
}

function payloadOf(one: Registered) {
  return actionsInForms(one)
    ? pressOf(one.name, 'x', { view: shownModal('builder', 'x', {}) })
    : payloadFor(one);
}

describe.each(Object.entries(refusals))('a %s', (standing, refusal) => {
  const people = { find: async (id: string) => ({ id, standing, zone: 'UTC' }), invalidate() {} };

  it('gets nothing but a refusal from any registered listener, and nothing is read or changed', async () => {
    const { registered } = listeningBot({ store });
    const asked = registered.filter(({ kind, name }) => kind !== 'event' || !factsOfSlack.test(name));
    expect(asked.length).toBeGreaterThan(50);
    for (const one of asked) {
      const where = `${one.kind} ${one.name}`;
      const { used, watchedStore } = watched(store);
      const homes: string[] = [];
      const show = async (user: string) => void homes.push(user);
      const home = { show, markOpened() {}, changed() {} };
      const bot = listeningBot({ store: watchedStore, changes: { people, home } as never });
      const { acks } = await bot.deliver(payloadOf(one));
      expect(bot.logged, where).toEqual([]);
      expect(
        used.filter((method) => !harmlessReads.includes(method)),
        where,
      ).toEqual([]);
      const shown = bot.calls.filter(({ args }) => !JSON.stringify(args).includes('Loading the form.'));
      // The Home tab checks its reader itself, and shows the refusal.
      if (one.name === 'app_home_opened') expect(homes, where).toEqual(['U1']);
      else if (one.kind === 'options') expect(acks, where).toEqual([{ options: [] }]);
      else expect(shown.length, where).toBeGreaterThan(0);
      if (one.kind === 'options') continue;
      for (const { args } of shown) expect(JSON.stringify(args), where).toContain(refusal);
    }
  });

  it.each([false, true])('learns no names of saved reports from a correction', async (overHttp) => {
    await store.savedReports.save(
      { channel: 'C1', name: 'Quarterly-Layoffs', request: plainRequest('tracks'), createdBy: 'U1' },
      1,
    );
    const command = { ...payloadFor({ kind: 'command', name: '/report' }), text: 'quarterly-layofs' };
    const changes = { repliesInAcknowledgements: overHttp };
    const member = listeningBot({ store, changes });
    await member.deliver(command);
    expect(JSON.stringify(member.calls)).toContain('Quarterly-Layoffs');
    const bot = listeningBot({ store, changes: { ...changes, people } as never });
    await bot.deliver(command);
    expect(JSON.stringify(bot.calls)).not.toContain('Quarterly-Layoffs');
    expect(JSON.stringify(bot.calls)).toContain(refusal);
  });
});
