import { optionalFlag, page, requiredText } from './arguments.js';
import { describePerson } from './describe-person.js';
import type { Methods } from './method.js';
import { Refusal } from './refusal.js';

export const userMethods: Methods = {
  'users.info': {
    token: 'bot',
    tier: 4,
    scopes: ['users:read'],
    run(args, api) {
      const person = api.workspace.people.get(requiredText(args, 'user'));
      if (!person) throw new Refusal('user_not_found');
      return { user: describePerson(api, person, optionalFlag(args, 'include_locale') ?? false) };
    },
  },

  'users.list': {
    token: 'bot',
    tier: 2,
    scopes: ['users:read'],
    run(args, api) {
      const { items, nextCursor } = page(args, [...api.workspace.people.values()]);
      return {
        members: items.map((one) => describePerson(api, one, optionalFlag(args, 'include_locale') ?? false)),
        cache_ts: Math.floor(api.workspace.clock.now() / 1000),
        response_metadata: { next_cursor: nextCursor },
      };
    },
  },

  'users.lookupByEmail': {
    token: 'bot',
    tier: 3,
    scopes: ['users:read.email'],
    run(args, api) {
      const email = requiredText(args, 'email').toLowerCase();
      // People of another organization are not found by their address.
      const person = [...api.workspace.people.values()].find(
        (one) => one.email.toLowerCase() === email && one.kind !== 'stranger',
      );
      if (!person) throw new Refusal('users_not_found');
      return { user: describePerson(api, person, false) };
    },
  },

  'usergroups.list': {
    token: 'bot',
    tier: 2,
    scopes: ['usergroups:read'],
    run(args, api) {
      const withUsers = optionalFlag(args, 'include_users') ?? false;
      return {
        usergroups: api.workspace.seed.userGroups.map((group) => ({
          id: group.id,
          team_id: api.workspace.seed.team.id,
          is_usergroup: true,
          name: group.name,
          handle: group.handle,
          description: '',
          date_delete: 0,
          user_count: group.users.length,
          ...(withUsers && { users: group.users }),
        })),
      };
    },
  },

  'usergroups.users.list': {
    token: 'bot',
    tier: 2,
    scopes: ['usergroups:read'],
    run(args, api) {
      const id = requiredText(args, 'usergroup');
      const group = api.workspace.seed.userGroups.find((one) => one.id === id);
      if (!group) throw new Refusal('no_such_subteam');
      return { users: group.users };
    },
  },
};
