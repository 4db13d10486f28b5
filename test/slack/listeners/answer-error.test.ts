import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { type BotChoices, listeningBot, payloadFor, pressOf, shownModal } from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

const planted = async () => {
  throw new Error('planted');
};
const afterAck: BotChoices['inPlace'] = async ({ ack }) => {
  await ack?.();
  await planted();
};

/** Events that nobody waits for. */
const nobodyWaits = /^(channel_|group_|member_|user_change|app_uninstalled|tokens_revoked|subteam_)/;
const id = /give your admin this ID: ([a-z0-9]+)/;

type Bot = ReturnType<typeof listeningBot>;
const idSaid = ({ calls }: Bot) => calls.flatMap(({ args }) => id.exec(JSON.stringify(args))?.[1] ?? []);
const idsLogged = ({ logged }: Bot) =>
  logged.filter(({ msg }) => msg === 'A listener failed').map((line) => line.id);

describe('a listener that throws', () => {
  it.each([
    ['before it acknowledged', planted],
    ['after it acknowledged', afterAck],
  ] as const)('%s, the person gets one answer with the ID that is in the log', async (_when, inPlace) => {
    const { registered } = listeningBot({ store });
    expect(registered.length).toBeGreaterThan(50);
    for (const one of registered) {
      const bot = listeningBot({ store, inPlace });
      const { acks } = await bot.deliver(payloadFor(one));
      const where = `${one.kind} ${one.name}`;
      expect(idsLogged(bot), where).toHaveLength(1);
      if (one.kind === 'options') {
        expect(acks).toEqual([inPlace === planted ? { options: [] } : undefined]);
        expect(bot.calls.filter(({ method }) => method !== 'ack')).toEqual([]);
      } else if (nobodyWaits.test(one.name)) {
        expect(idSaid(bot), where).toEqual([]);
      } else {
        expect(idSaid(bot), where).toEqual(idsLogged(bot));
      }
      expect(one.kind === 'event' ? [0, 1] : [1], where).toContain(acks.length);
    }
  });

  it('notifies the person if the database is broken, for every kind of delivery', async () => {
    const broken = new Proxy({} as Store, {
      get: () => new Proxy({}, { get: () => planted }),
    });
    const people = { find: planted, invalidate() {} };
    for (const one of listeningBot({ store }).registered) {
      if (one.kind === 'options' || nobodyWaits.test(one.name)) continue;
      // The Home tab shows its own errors.
      if (one.name === 'app_home_opened') continue;
      const bot = listeningBot({ store: broken, changes: { people } });
      const body =
        /^builder_|^digest_kind$|^digest_test_form$|^access_who$/.test(one.name) && one.kind === 'action'
          ? pressOf(one.name, 'x', { view: shownModal('builder', 'x', {}) })
          : payloadFor(one);
      await bot.deliver(body);
      expect(idSaid(bot), `${one.kind} ${one.name}`).toHaveLength(1);
    }
  });
});

describe('the message about a failure is shown', () => {
  const where = async (
    body: Parameters<Bot['deliver']>[0],
    refused: readonly string[] = [],
    inPlace = afterAck,
  ) => {
    const refuses = (method: string) => (refused.includes(method) ? 'not_now' : undefined);
    const bot = listeningBot({ store, inPlace, refuses });
    await bot.deliver(body);
    expect(idSaid(bot)).toHaveLength(1);
    return bot.calls[0];
  };

  it('in a thread, to them alone', async () => {
    const press = pressOf('ask_csv', 'x');
    expect(await where(press)).toMatchObject({
      method: 'response_url',
      args: { response_type: 'ephemeral' },
    });
    const ephemeral = { method: 'chat.postEphemeral', args: { channel: 'C1', user: 'U1', thread_ts: '4.4' } };
    expect(await where(press, ['response_url'])).toMatchObject(ephemeral);
    expect(await where(payloadFor({ kind: 'event', name: 'app_mention' }))).toMatchObject(ephemeral);
    const direct = { method: 'chat.postMessage', args: { channel: 'U1' } };
    expect(await where(press, ['response_url', 'chat.postEphemeral'])).toMatchObject(direct);
  });

  it('in direct messages, in a message', async () => {
    const direct = { method: 'chat.postMessage', args: { channel: 'D1', thread_ts: '4.4' } };
    expect(await where(payloadFor({ kind: 'event', name: 'message' }))).toMatchObject(direct);
  });

  it('in a form, at its top, and the typed values stay', async () => {
    const view = shownModal('builder', 'draft', { range: { type: 'plain_text_input', value: 'typed' } });
    const said = await where(pressOf('builder_input', 'x', { view }));
    expect(said).toMatchObject({ method: 'views.update', args: { view_id: 'V9' } });
    expect(said?.args.view).toMatchObject({
      callback_id: 'builder',
      private_metadata: 'draft',
      submit: view.submit,
      blocks: [{ type: 'section' }, ...view.blocks],
    });
    expect(said?.args.view).not.toHaveProperty('state');
  });

  it('in a submitted form, under its first input, or in direct messages once it has closed', async () => {
    const submitted = payloadFor({ kind: 'view', name: 'share_answer' });
    expect(await where(submitted, [], planted)).toMatchObject({
      method: 'ack',
      args: { response_action: 'errors', errors: { name: expect.stringMatching(id) } },
    });
    const direct = { method: 'chat.postMessage', args: { channel: 'U1' } };
    expect(await where(submitted)).toMatchObject(direct);
  });

  it('over the Home tab, or in direct messages once the trigger has expired', async () => {
    const press = pressOf('home_help', '-', { view: { type: 'home', id: 'V1' } });
    expect(await where(press)).toMatchObject({ method: 'views.open' });
    const direct = { method: 'chat.postMessage', args: { channel: 'U1' } };
    expect(await where(press, ['views.open'])).toMatchObject(direct);
    const opened = payloadFor({ kind: 'event', name: 'app_home_opened' });
    expect(await where(opened)).toMatchObject({ method: 'views.publish', args: { user_id: 'U1' } });
  });
});
