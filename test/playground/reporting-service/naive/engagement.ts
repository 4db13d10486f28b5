import { eventsOf, find, iso, learnerValues, nameOf } from './people.js';
import type { NaiveRow, Tables } from './tables.js';

export function engagementRows(t: Tables, now: number, from: number, until: number): NaiveRow[] {
  const rows: NaiveRow[] = [];
  for (const learner of t.people) {
    if (learner.created_at > now) continue;
    const counts: Record<string, number> = {};
    let seconds = 0;
    let stars = 0;
    let pending = 0;
    let attended = 0;
    for (const event of eventsOf(t, learner.id)) {
      if (event.at > now) continue;
      if (event.kind === 'attended') {
        const start = find(t.instances, event.instance)?.starts_at ?? 0;
        if (start >= from && start < until) attended += 1;
      }
      if (event.at >= until) continue;
      if (event.kind === 'assigned') pending += 1;
      if (event.kind === 'assignment_completed') pending -= 1;
      if (event.at < from) continue;
      counts[event.kind] = (counts[event.kind] ?? 0) + 1;
      if (event.kind === 'viewed') seconds += event.amount ?? 0;
      if (event.kind === 'rated') stars += event.amount ?? 0;
    }
    const count = (kind: string) => counts[kind] ?? 0;
    rows.push({
      values: {
        ...learnerValues(t, learner, now),
        sessions: count('signed_in'),
        views: count('viewed'),
        seconds_viewed: seconds,
        assignments_completed: count('assignment_completed'),
        assignments_pending: pending,
        tracks_started: count('track_started'),
        tracks_completed: count('track_completed'),
        workshops_attended: attended,
        comments: count('commented'),
        likes: count('liked'),
        shares: count('shared'),
        ratings: count('rated'),
        ratings_average: count('rated') > 0 ? stars / count('rated') : null,
      },
      dates: {},
      order: { own: [learner.id] },
      learner,
    });
  }
  return rows;
}

export function workshopRows(t: Tables, now: number): NaiveRow[] {
  const rows: NaiveRow[] = [];
  for (const instance of t.instances) {
    const workshop = find(t.contents, instance.workshop);
    if (!workshop || instance.announced_at > now) continue;
    const seated = new Set<number>();
    const waiting = new Set<number>();
    const came = new Set<number>();
    const stayedAway = new Set<number>();
    let canceled = 0;
    const theirs = t.events.filter((event) => event.instance === instance.id && event.at <= now);
    for (const { kind, person } of theirs.sort((a, b) => a.at - b.at || a.id - b.id)) {
      if (kind === 'seat_taken' || kind === 'seat_passed_on') seated.add(person);
      if (kind === 'seat_given_up') {
        seated.delete(person);
        canceled += 1;
      }
      if (kind === 'waitlist_joined') waiting.add(person);
      if (kind === 'waitlist_left' || kind === 'seat_passed_on') waiting.delete(person);
      if (kind === 'attended') came.add(person);
      if (kind === 'missed') stayedAway.add(person);
    }
    const isCanceled = instance.canceled_at !== null && instance.canceled_at <= now;
    rows.push({
      values: {
        workshop_title: workshop.title,
        workshop_status: isCanceled
          ? 'canceled'
          : instance.ends_at <= now
            ? 'completed'
            : instance.starts_at <= now
              ? 'in_progress'
              : 'scheduled',
        workshop_start_date: iso(instance.starts_at),
        workshop_end_date: iso(instance.ends_at),
        workshop_duration: Math.floor((instance.ends_at - instance.starts_at) / 60),
        host_name: nameOf(find(t.people, instance.host)),
        archived: workshop.archived === 1,
        workshop_id: workshop.public_id,
        workshop_instance_id: instance.public_id,
        offered_seats: instance.offered_seats,
        registered_seats: seated.size,
        total_waiting: waiting.size,
        waitlist_seats: instance.waitlist_seats ?? 0,
        waitlist_enabled: instance.waitlist_seats !== null,
        registration_disabled: isCanceled || (instance.closes_at !== null && instance.closes_at <= now),
        canceled_registrations: canceled,
        total_attendees: came.size,
        total_absentees: stayedAway.size,
      },
      dates: { own: instance.starts_at },
      order: { own: [instance.starts_at, instance.id] },
      content: workshop,
      instance,
    });
  }
  return rows;
}
