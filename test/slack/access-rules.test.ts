import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Level } from '../../src/access/levels.js';
import { accessActions } from '../../src/slack/access/access-page.js';
import { checkRule, removeAdmin } from '../../src/slack/access/access-rules.js';
import type { ListenerParts } from '../../src/slack/answers/context.js';
import { accessDirectory } from '../../src/slack/directory/access.js';
import type { People } from '../../src/slack/directory/people.js';
import { userGroupsOf } from '../../src/slack/directory/user-groups.js';
import type { ProposedRule } from '../../src/slack/forms/access-forms.js';
import { accessInputs, accessViews } from '../../src/slack/forms/access-forms.js';
import { openStore, type Store } from '../../src/store/store.js';
import { freshFolder } from '../store/fresh-folder.js';
import {
  type BotChoices,
  listeningBot,
  payloadFor,
  pressOf,
  shownModal,
  submissionOf,
} from './listeners/listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

/** The groups that Slack lists. */
const groups = Array.from({ length: 16 }, (_, i) => ({ id: `S${i + 1}`, handle: `g${i + 1}`, name: '' }));
const actor = { by: 'U1', at: 1 };

interface Workspace {
  /** The IDs of user groups that Slack lists; undefined: it does not list them. */
  readonly listed?: readonly string[] | undefined;
  /** True if the app lacks the scope `usergroups:read`. */
  readonly lacksScope?: boolean;
  /** Groups whose members Slack does not tell. */
  readonly unreadable?: readonly string[];
  /** Everybody else is a member. */
  readonly standings?: Readonly<Record<string, Awaited<ReturnType<People['find']>>['standing']>>;
  readonly configuredAdmins?: readonly string[];
}

/** A bot over the real store, the real directory of access and a stub of Slack's user groups. */
function bot(workspace: Workspace = {}, refuses?: BotChoices['refuses']) {
  const { unreadable = [], standings = {}, configuredAdmins = [] } = workspace;
  const { lacksScope = false } = workspace;
  const calls = { groups: 0 };
  const refuseScope = () => {
    if (lacksScope) throw Object.assign(new Error('missing_scope'), { data: { error: 'missing_scope' } });
  };
  const listed = 'listed' in workspace ? workspace.listed : groups.map(({ id }) => id);
  const client = {
    usergroups: {
      async list() {
        refuseScope();
        if (!listed) throw new Error('ratelimited');
        return { ok: true, usergroups: groups.filter(({ id }) => listed.includes(id)) };
      },
      users: {
        async list({ usergroup }: { usergroup: string }) {
          calls.groups += 1;
          refuseScope();
          if (unreadable.includes(usergroup)) throw new Error('internal_error');
          return { ok: true, users: ['U2', 'U3'] };
        },
      },
    },
  } as never;
  const people = {
    find: async (id: string) => ({ id, standing: standings[id] ?? 'member', zone: 'UTC', name: id }),
    invalidate() {},
  } as never;
  const now = () => performance.now();
  const access = accessDirectory({
    client,
    people,
    store,
    configuredAdmins,
    defaultAccess: 'team',
    groupIsGone() {},
    now,
  });
  const changes = { people, access, configuredAdmins, userGroups: userGroupsOf(client, now) };
  return {
    ...listeningBot({ store, refuses, changes: changes as Partial<ListenerParts> }),
    access,
    groupCalls: calls,
  };
}

const ruleFor = (id: string, level: ProposedRule['level'] = 'totals'): ProposedRule => ({
  who: id.startsWith('S') ? 'group' : 'person',
  id,
  reports: [],
  level,
  channel: 'C1',
});

async function refusal(proposed: ProposedRule, workspace?: Workspace): Promise<string | undefined> {
  const checked = await checkRule(proposed, bot(workspace).parts);
  return checked.ok ? undefined : checked.refusal;
}

describe('a rule for a user group', () => {
  it('is refused for the 16th group, while the 15 groups with rules can still change', async () => {
    for (const { id } of groups.slice(0, 14)) {
      await store.accessRules.set({ subject: { kind: 'group', id }, level: 'team' }, actor);
    }
    expect(await refusal(ruleFor('S15'))).toBeUndefined();
    await store.accessRules.set({ subject: { kind: 'group', id: 'S15' }, level: 'team' }, actor);
    expect(await refusal(ruleFor('S16'))).toContain('At most 15 user groups can have rules.');
    expect(await refusal(ruleFor('S15', 'nothing'))).toBeUndefined();
    expect(await refusal(ruleFor('S3', 'none'))).toBeUndefined();
    await store.accessRules.removeSubject({ kind: 'group', id: 'S3' }, actor);
    expect(await refusal(ruleFor('S16'))).toBeUndefined();
  });

  it('is refused if Slack does not tell who is in the group', async () => {
    expect(await refusal(ruleFor('S1'), { unreadable: ['S1'] })).toContain('who is in that user group');
    expect(await refusal(ruleFor('S2'), { unreadable: ['S1'] })).toBeUndefined();
  });

  it('is refused if Slack does not list the groups, and the form offers none', async () => {
    expect(await refusal(ruleFor('S1'), { listed: undefined })).toContain('did not list the user groups');
    const options = async (workspace: Workspace) => {
      const body = payloadFor({ kind: 'options', name: accessInputs.group });
      const admin = bot({ configuredAdmins: ['U1'], ...workspace });
      return (await admin.deliver({ ...body, value: 'g16' })).acks;
    };
    expect(await options({ listed: undefined })).toEqual([{ options: [] }]);
    expect(JSON.stringify(await options({}))).toContain('@g16');
  });

  it('is not saved from an old preview if the group was deleted since, but its rule can end', async () => {
    const save = async (proposed: ProposedRule) => {
      const admin = bot({ listed: ['S2'], configuredAdmins: ['U1'] });
      const form = shownModal(accessViews.confirm, JSON.stringify(proposed), {});
      return JSON.stringify((await admin.deliver(submissionOf(form))).acks);
    };
    expect(await save(ruleFor('S1'))).toContain('no longer exists');
    expect(await store.accessRules.all()).toEqual([]);
    await store.accessRules.set({ subject: { kind: 'group', id: 'S1' }, level: 'team' }, actor);
    expect(await save(ruleFor('S1', 'none'))).not.toContain('no longer exists');
    expect(await store.accessRules.all()).toEqual([]);
  });
});

describe('without the scope usergroups:read', () => {
  const lacksScope = { lacksScope: true, configuredAdmins: ['U1'] };
  const rule = (level: Level) =>
    store.accessRules.set({ subject: { kind: 'group', id: 'S1' }, level }, { by: 'U1', at: 1 });

  it.each([
    ['everything', 'team'],
    ['team', 'team'],
    ['totals', 'totals'],
    ['nothing', 'nothing'],
  ] as const)('a rule for a group with %s leaves everybody %s, which is certain', async (level, left) => {
    await rule(level);
    const { access, groupCalls } = bot(lacksScope);
    for (let asked = 0; asked < 3; asked += 1) {
      expect(await access.accessOf('U2', 'tracks')).toMatchObject({ level: left, isUncertain: false });
    }
    // Each question of a person may look up fifteen groups, and Slack allows about twenty look-ups a minute.
    expect(groupCalls.groups).toBe(1);
  });

  it('a group that only a broken connection hides is uncertain', async () => {
    await rule('nothing');
    const { access } = bot({ unreadable: ['S1'] });
    expect(await access.accessOf('U2', 'tracks')).toMatchObject({ level: 'nothing', isUncertain: true });
  });

  it('/report access says so to everybody once a rule names a group, and the form says it in place of groups', async () => {
    const page = async () => {
      const admin = bot(lacksScope);
      await admin.deliver({ ...payloadFor({ kind: 'command', name: '/report' }), text: 'access' });
      return JSON.stringify(admin.calls);
    };
    expect(await page()).not.toContain('usergroups:read');
    await rule('everything');
    expect(await page()).toContain('narrow what people may ask, but not widen it');
    expect(await refusal(ruleFor('S2'), lacksScope)).toContain('the scope usergroups:read');
    expect(await refusal(ruleFor('S1', 'none'), lacksScope)).toBeUndefined();
  });
});

describe('a rule for a person', () => {
  it.each([
    ['bot', 'cannot ask for reports'],
    ['guest', 'cannot ask for reports'],
    ['outsider', 'cannot ask for reports'],
    ['gone', 'has left this workspace'],
    ['unknown', 'could not tell me who that is'],
  ] as const)('is refused for standing %s', async (standing, words) => {
    const workspace = { standings: { U2: standing } };
    expect(await refusal(ruleFor('U2'), workspace)).toContain(words);
    await store.accessRules.set({ subject: { kind: 'person', id: 'U2' }, level: 'team' }, actor);
    expect(await refusal(ruleFor('U2', 'none'), workspace)).toBeUndefined();
  });
});

describe('removing an admin', () => {
  beforeEach(async () => {
    await store.admins.add('U1', 'U9', 1);
    await store.admins.add('U2', 'U1', 2);
  });
  const left = async () => (await store.admins.all()).map(({ person }) => person);

  it('works while another admin stays, and is refused for the last one', async () => {
    const { parts } = bot();
    expect(await removeAdmin('U2', 'U1', parts)).toBe('removed');
    expect(await removeAdmin('U2', 'U1', parts)).toBe('absent');
    expect(await removeAdmin('U1', 'U1', parts)).toBe('last');
    expect(await left()).toEqual(['U1']);
  });

  it('counts only admins who are members, and those of ROLLCALL_ADMINS', async () => {
    const standings = { U2: 'gone', U8: 'guest' } as const;
    expect(await removeAdmin('U1', 'U1', bot({ standings, configuredAdmins: ['U8'] }).parts)).toBe('last');
    expect(await removeAdmin('U1', 'U1', bot({ standings, configuredAdmins: ['U7'] }).parts)).toBe('removed');
    expect(await left()).toEqual(['U2']);
  });

  it('refuses one of two admins who remove each other at the same time', async () => {
    const { parts } = bot();
    const outcomes = await Promise.all([removeAdmin('U2', 'U1', parts), removeAdmin('U1', 'U2', parts)]);
    expect([...outcomes].sort()).toEqual(['last', 'removed']);
    expect(await left()).toHaveLength(1);
  });

  it('tells the admin who pressed what happened', async () => {
    const admin = bot();
    await admin.deliver(pressOf(accessActions.removeAdmin, 'U2'));
    await admin.deliver(pressOf(accessActions.removeAdmin, 'U1'));
    const all = JSON.stringify(admin.calls);
    expect(all).toContain('U2 is no longer an admin.');
    expect(all).toContain('Nobody else could set rules then.');
  });
});
