import { find, iso, nameOf } from './people.js';
import type { NaiveRow } from './rows.js';
import type { Tables } from './tables.js';

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
