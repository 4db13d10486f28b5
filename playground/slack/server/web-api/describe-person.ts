import type { Person, Thing } from '../workspace/records.js';
import type { Api } from './method.js';

/** Seconds that a zone is ahead of UTC at a moment. */
function zoneOffset(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    at,
  );
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  if (!sign) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** A person as Slack's answers carry them. */
export function describePerson(
  { workspace, scopes }: Pick<Api, 'workspace' | 'scopes'>,
  person: Person,
  withLocale: boolean,
): Thing {
  const now = workspace.clock.now();
  const [first = '', ...rest] = person.name.split(' ');
  const isBot = person.kind === 'bot';
  const label = new Intl.DateTimeFormat('en', { timeZone: person.zone, timeZoneName: 'long' })
    .formatToParts(now)
    .find((part) => part.type === 'timeZoneName')?.value;
  const stranger = person.kind === 'stranger';
  return {
    id: person.id,
    team_id: person.team,
    name: person.handle,
    deleted: person.kind === 'gone',
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
      ...(scopes.has('users:read.email') && !isBot && { email: person.email }),
      ...(isBot && { api_app_id: workspace.seed.bot.appId, bot_id: workspace.seed.bot.botId }),
    },
    is_admin: person.kind === 'admin',
    is_owner: false,
    is_primary_owner: false,
    is_restricted: person.kind === 'guest',
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    is_stranger: stranger,
    updated: Math.floor(now / 1000),
    is_email_confirmed: !isBot,
    ...(withLocale && { locale: person.locale }),
  };
}
