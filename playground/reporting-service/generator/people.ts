import type { WorldWriter } from '../world/writer.js';
import { nameIn } from './names.js';
import type { Organization } from './organization.js';
import { openPosts } from './posts.js';
import { profileOf } from './profile.js';
import { type Random, randomFor } from './random.js';
import { workingDayBefore } from './rhythm.js';
import { day, hour, type Span, week } from './span.js';

/** What the stories of a learner are told from. */
export interface Learner {
  readonly id: number;
  readonly department: string;
  readonly manager: number | null;
  readonly leads: boolean;
  /** Hours ahead of UTC where they work. */
  readonly hoursAhead: number;
  /** When their account was made. */
  readonly joined: number;
  /** When they joined or the span starts: nothing of theirs happens before, but their first sign-in. */
  readonly from: number;
  /** When they were suspended or the span ends: nothing of theirs happens from then on. */
  readonly left: number;
  /** Sessions of their own accord in a usual week. */
  readonly curiosity: number;
  /** 0 to 1: how surely, and how early, they do what they were asked to. */
  readonly diligence: number;
  /** False for those who never sign in. */
  readonly present: boolean;
}

/**
 * Writes `count` people who are there today and, after them, some who will join before the span ends.
 * Yields each once written.
 */
export function* hirePeople(
  seed: number,
  count: number,
  span: Span,
  organization: Organization,
  writer: WorldWriter,
): Generator<Learner> {
  const posts = openPosts(organization);
  const namesakes = new Map<string, number>();
  let buddy: number | null = null;

  for (let number = 1; number <= count + Math.ceil(count * 0.015); number += 1) {
    const random = randomFor(seed, 'person', number);
    const department = random.weighted(organization.departments);
    const place = random.weighted(organization.places);
    const post = posts.next(department);
    const { hired, joined, suspended } = lifeOf(random, span, number > count, post.leads);
    const name = nameIn(random.weighted(place.tongues), random);
    const mailbox = `${name.first[1]}.${name.last[1]}`;
    const namesake = (namesakes.get(mailbox) ?? 0) + 1;
    namesakes.set(mailbox, namesake);

    const id = writer.person({
      ...profileOf({ seed, number, random, organization, department, place, post, name, hired }),
      email: `${mailbox}${namesake > 1 ? namesake : ''}@rollcall.example`,
      buddy: hired > span.today - 26 * week ? buddy : null,
      createdAt: joined,
      suspendedOn: suspended,
    });
    post.filledBy(id);
    if (random.chance(0.2)) buddy = id;

    const present = !random.chance(post.leads ? 0.01 : joined > span.today - 5 * week ? 0.25 : 0.06);
    yield {
      id,
      department: department.name,
      manager: post.manager,
      leads: post.leads,
      hoursAhead: place.hoursAhead,
      joined,
      from: Math.max(joined, span.start),
      left: Math.min(suspended ?? span.end, span.end),
      curiosity: present ? 0.11 * Math.exp(1.15 * random.normal()) : 0,
      diligence: Math.min(1, Math.max(0.03, 0.62 + 0.25 * random.normal())),
      present,
    };
  }
}

interface Life {
  readonly hired: number;
  /** The account is made on the first day, or when the organization began to use the service. */
  readonly joined: number;
  readonly suspended: number | null;
}

/** Most have been there for years, about one in twenty-five came last month, and some leave within the span. */
function lifeOf(random: Random, span: Span, joinsLater: boolean, leads: boolean): Life {
  const opened = span.today - 3 * 365 * day;
  const daysAgo = joinsLater
    ? -random.whole(3, 60)
    : !leads && random.chance(0.04)
      ? random.whole(2, 32)
      : Math.ceil(-Math.log(1 - random.share()) * 1300) + (leads ? 400 : 20);
  const hired = workingDayBefore(span.today - daysAgo * day);
  const joined = Math.max(hired, opened + random.whole(0, 20) * day) + 8 * hour + random.whole(0, 2 * hour);
  const leaves = !leads && random.chance(0.09);
  const earliest = Math.max(joined + 10 * day, span.start);
  const suspended = earliest + Math.floor((span.end - earliest) * random.share());
  return { hired, joined, suspended: leaves && suspended < span.end ? suspended : null };
}
