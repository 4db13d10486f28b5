import type { Happening, Person, Tables } from './tables.js';

export const iso = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined
    ? null
    : `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

export const find = <T extends { id: number }>(rows: readonly T[], id: number | null | undefined) =>
  rows.find((row) => row.id === id);

export const nameOf = (person: Person | undefined) =>
  person ? `${person.first_name} ${person.last_name}`.trim() : null;

export const isManager = (t: Tables, person: Person) => t.people.some(({ manager }) => manager === person.id);
export const isAuthor = (t: Tables, person: Person) =>
  t.contents.some(({ created_by }) => created_by === person.id);
export const isCollaborator = (t: Tables, person: Person) =>
  t.collaborators.some((row) => row.person === person.id);
export const isSuspended = (person: Person, now: number) =>
  person.suspended_on !== null && person.suspended_on <= now;

const happenings = new WeakMap<Tables, Map<number, readonly Happening[]>>();

/** What happened to one person, in the order of all events. Searched once for each person of a world. */
export function eventsOf(t: Tables, person: number): readonly Happening[] {
  const ofWorld = happenings.get(t) ?? new Map<number, readonly Happening[]>();
  happenings.set(t, ofWorld);
  const events = ofWorld.get(person) ?? t.events.filter((event) => event.person === person);
  ofWorld.set(person, events);
  return events;
}

const known = new WeakMap<Tables, Map<string, Record<string, unknown>>>();

/** All fields of a record about its learner, computed once for each learner and moment. */
export function learnerValues(t: Tables, person: Person, now: number): Record<string, unknown> {
  const ofWorld = known.get(t) ?? new Map<string, Record<string, unknown>>();
  known.set(t, ofWorld);
  const key = `${person.id}/${now}`;
  const values = ofWorld.get(key) ?? workOut(t, person, now);
  ofWorld.set(key, values);
  return values;
}

function workOut(t: Tables, person: Person, now: number): Record<string, unknown> {
  const signIns: number[] = [];
  for (const event of eventsOf(t, person.id)) {
    if (event.kind === 'signed_in' && event.at <= now) signIns.push(event.at);
  }
  const suspended = isSuspended(person, now);
  return {
    first_name: person.first_name,
    last_name: person.last_name,
    email: person.email,
    userid: person.userid,
    job_title: person.job_title,
    manager_email: find(t.people, person.manager)?.email ?? null,
    buddy_email: find(t.people, person.buddy)?.email ?? null,
    image: person.image,
    address: person.address,
    departments: JSON.parse(person.departments),
    locations: JSON.parse(person.locations),
    teams: JSON.parse(person.teams),
    groups: JSON.parse(person.groups),
    group: JSON.parse(person.groups)[0] ?? null,
    grade: person.grade,
    org_level: person.org_level,
    region: person.region,
    language: person.language,
    partner: person.partner,
    partner_name: person.partner,
    distributor: person.distributor,
    role: person.role,
    is_manager: isManager(t, person),
    is_collaborator: isCollaborator(t, person),
    is_purchaser: person.is_purchaser === 1,
    suspended,
    suspended_on: suspended ? iso(person.suspended_on) : null,
    hired_on: person.hired_on,
    created_at: iso(person.created_at),
    first_login: iso(signIns.length > 0 ? Math.min(...signIns) : null),
    last_login: iso(signIns.length > 0 ? Math.max(...signIns) : null),
    user_metadata: JSON.parse(person.metadata),
    assignee_metadata: JSON.parse(person.metadata),
  };
}

/** All fields of a record about another person. */
export function otherPersonValues(
  t: Tables,
  flag: string,
  person: Person | undefined,
  now: number,
): Record<string, unknown> {
  return {
    [flag]: nameOf(person),
    [`${flag}_email`]: person?.email ?? null,
    [`${flag}_first_name`]: person?.first_name ?? null,
    [`${flag}_last_name`]: person?.last_name ?? null,
    [`${flag}_userid`]: person?.userid ?? null,
    [`${flag}_job_title`]: person?.job_title ?? null,
    [`${flag}_image`]: person?.image ?? null,
    [`${flag}_is_manager`]: person ? isManager(t, person) : null,
    [`${flag}_is_purchaser`]: person ? person.is_purchaser === 1 : null,
    [`${flag}_is_suspended`]: person ? isSuspended(person, now) : null,
  };
}
