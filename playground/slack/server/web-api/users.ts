import type { Person, SlackObject, UserGroup } from '../workspace/records.js';
import { type Api, ApiError, type Methods, optionalFlag, paginate, requiredText } from './method.js';

export const userMethods: Methods = {
  'users.info': {
    token: 'bot',
    tier: 4,
    scopes: ['users:read'],
    run(args, api) {
      const person = api.workspace.people.get(requiredText(args, 'user'));
      if (!person) throw new ApiError('user_not_found');
      return { user: describePerson(api, person, optionalFlag(args, 'include_locale') ?? false) };
    },
  },

  'users.list': {
    token: 'bot',
    tier: 2,
    scopes: ['users:read'],
    run(args, api) {
      const { items, nextCursor } = paginate(args, [...api.workspace.people.values()]);
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
      // Slack does not find people of other organizations by email address.
      const person = [...api.workspace.people.values()].find(
        (one) => one.email.toLowerCase() === email && one.kind !== 'external',
      );
      if (!person) throw new ApiError('users_not_found');
      return { user: describePerson(api, person, false) };
    },
  },

  'usergroups.list': {
    token: 'bot',
    tier: 2,
    scopes: ['usergroups:read'],
    run(args, api) {
      const withUsers = optionalFlag(args, 'include_users') ?? false;
      const withDisabled = optionalFlag(args, 'include_disabled') ?? false;
      const groups = [...api.workspace.userGroups.values()];
      return {
        usergroups: groups
          .filter(({ disabledAt }) => withDisabled || disabledAt === 0)
          .map((group) => describeUserGroup(api, group, withUsers)),
      };
    },
  },

  'usergroups.users.list': {
    token: 'bot',
    tier: 2,
    scopes: ['usergroups:read'],
    run(args, api) {
      const group = api.workspace.userGroups.get(requiredText(args, 'usergroup'));
      const withDisabled = optionalFlag(args, 'include_disabled') ?? false;
      if (!group || (group.disabledAt > 0 && !withDisabled)) throw new ApiError('no_such_subteam');
      return { users: group.users };
    },
  },
};

/** A user group in the format of Slack's answers and events. */
export function describeUserGroup(
  { workspace }: Pick<Api, 'workspace'>,
  group: UserGroup,
  withUsers: boolean,
): SlackObject {
  return {
    id: group.id,
    team_id: workspace.seed.team.id,
    is_usergroup: true,
    is_external: false,
    name: group.name,
    handle: group.handle,
    description: '',
    date_update: group.updatedAt,
    date_delete: group.disabledAt,
    user_count: group.users.length,
    users: withUsers ? group.users : undefined,
  };
}

/** Seconds that a time zone is ahead of UTC at a moment. */
function zoneOffset(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    at,
  );
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  if (!sign) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** A person in the format of Slack's answers. */
export function describePerson(
  { workspace, scopes }: Pick<Api, 'workspace' | 'scopes'>,
  person: Person,
  withLocale: boolean,
): SlackObject {
  const now = workspace.clock.now();
  const [first = '', ...rest] = person.name.split(' ');
  const isBot = person.kind === 'bot';
  const label = new Intl.DateTimeFormat('en', { timeZone: person.zone, timeZoneName: 'long' })
    .formatToParts(now)
    .find((part) => part.type === 'timeZoneName')?.value;
  const stranger = person.kind === 'external';
  return {
    id: person.id,
    team_id: person.team,
    name: person.handle,
    deleted: person.kind === 'deactivated',
    color: person.colour.slice(1),
    real_name: person.name,
    tz: person.zone,
    tz_label: label ?? person.zone,
    tz_offset: zoneOffset(person.zone, now),
    profile: {
      title: person.title,
      real_name: person.name,
      real_name_normalized: person.name,
      display_name: person.handle,
      display_name_normalized: person.handle,
      first_name: first,
      last_name: rest.join(' '),
      team: person.team,
      email: scopes.has('users:read.email') && !isBot ? person.email : undefined,
      ...(isBot && { api_app_id: workspace.seed.bot.appId, bot_id: workspace.seed.bot.botId }),
    },
    is_admin: person.kind === 'admin',
    is_owner: person.isOwner ?? false,
    is_primary_owner: false,
    is_restricted: person.kind === 'guest',
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    is_stranger: stranger,
    updated: Math.floor(now / 1000),
    ...(person.isEmailConfirmed !== 'unsaid' && {
      is_email_confirmed: !isBot && (person.isEmailConfirmed ?? true),
    }),
    locale: withLocale ? person.locale : undefined,
  };
}
