import type { Person } from '../world/rows.js';
import type { FullName } from './names.js';
import type { Department, Organization, Place } from './organization.js';
import type { Post } from './posts.js';
import { identifier, type Random } from './random.js';
import { day } from './span.js';

interface Circumstances {
  readonly seed: number;
  readonly number: number;
  readonly random: Random;
  readonly organization: Organization;
  readonly department: Department;
  readonly place: Place;
  readonly post: Post;
  readonly name: FullName;
  /** Epoch seconds. */
  readonly hired: number;
}

/** Everything about a person that the organization would have on file. */
export function profileOf(
  about: Circumstances,
): Omit<Person, 'email' | 'buddy' | 'createdAt' | 'suspendedOn'> {
  const { seed, number, random, organization, department, place, post, name, hired } = about;
  const publicId = identifier(seed, 'person', number);
  const outside = !post.leads && random.chance(0.08);
  const partner = random.weighted(organization.partners.map((unit, index) => [unit, 3 - index] as const));
  const second = random.weighted(organization.departments);
  return {
    publicId,
    userid: `E${String(number).padStart(6, '0')}`,
    firstName: name.first[0],
    lastName: name.last[0],
    jobTitle: random.chance(0.03) ? null : `${post.leads ? 'Lead ' : ''}${random.pick(department.jobs)}`,
    address: random.chance(0.15)
      ? null
      : `${random.whole(1, 240)} ${random.pick(place.streets)}, ${place.city}`,
    image: random.chance(0.4) ? null : `https://pictures.rollcall.example/${publicId}.jpg`,
    role: post.leads
      ? 'manager'
      : random.weighted([
          ['learner', 94],
          ['author', 5],
          ['administrator', 1],
        ]),
    region: place.region,
    language: random.chance(0.7) ? random.weighted(place.tongues).language : 'en',
    units: {
      departments:
        random.chance(0.05) && second !== department ? [department.unit, second.unit] : [department.unit],
      locations: random.chance(0.12) ? [place.unit, organization.remote] : [place.unit],
      teams: post.teams,
      groups: random.chance(0.35) ? random.some(organization.groups, random.whole(1, 2)) : [],
      grades: [gradeOf(random, organization, post)],
      org_levels: [levelOf(random, organization, post)],
      partner: outside ? [partner] : [],
    },
    distributor: outside ? `Distribution ${place.region}` : null,
    manager: post.manager,
    isPurchaser: random.chance(0.04),
    hiredOn: random.chance(0.02)
      ? null
      : new Date(Math.floor(hired / day) * day * 1000).toISOString().slice(0, 10),
    metadata: JSON.stringify({
      cost_center: `CC-${100 + random.whole(0, 40)}`,
      contract: random.weighted([
        ['full time', 8],
        ['part time', 2],
        ['temporary', 1],
      ]),
      ...(random.chance(0.05) ? { note: 'Prefers "Bo", not <b>Robert</b>; =ask first' } : {}),
    }),
  };
}

function gradeOf(random: Random, organization: Organization, post: Post): number {
  const [low, high] = post.manager === null ? [7, 7] : post.leads ? [4, 6] : [0, 4];
  return organization.grades[random.whole(low, high)] ?? 0;
}

function levelOf(random: Random, organization: Organization, post: Post): number {
  const [low, high] = post.manager === null ? [0, 0] : post.leads ? [1, 2] : [3, 5];
  return organization.orgLevels[random.whole(low, high)] ?? 0;
}
