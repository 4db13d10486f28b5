import type { Person } from '../world/schema.js';
import type { WorldWriter } from '../world/writer.js';
import { type FullName, nameIn } from './names.js';
import {
  createPositions,
  type Department,
  type Organization,
  type Position,
  type Site,
} from './organization.js';
import {
  day,
  hour,
  identifier,
  type Random,
  randomFor,
  type Span,
  week,
  workingDayBefore,
} from './random.js';

/** A person with a known name and address, who takes the first open position of a department. */
export interface CastMember {
  readonly department: string;
  /** True: the lead of its first team. False: a member of that team. */
  readonly leads: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

/** A learner, for the generation of events. */
export interface Learner {
  readonly id: number;
  readonly department: string;
  readonly manager: number | null;
  readonly leads: boolean;
  /** Hours ahead of UTC at their workplace. */
  readonly hoursAhead: number;
  /** When their account was made. */
  readonly joined: number;
  /** Start of their events: when they joined, or the start of the span. Only the first sign-in can be earlier. */
  readonly from: number;
  /** End of their events: when they were suspended, or the end of the span. */
  readonly left: number;
  /** Voluntary sessions in a usual week. */
  readonly curiosity: number;
  /** 0 to 1: how reliably and how early they complete assignments. */
  readonly diligence: number;
  /** False for those who never sign in. */
  readonly present: boolean;
}

/**
 * Writes `count` current people and some who join before the end of the span.
 * Yields each person after writing.
 */
export function* writePeople(
  seed: number,
  count: number,
  span: Span,
  organization: Organization,
  writer: WorldWriter,
  cast: readonly CastMember[] = [],
): Generator<Learner> {
  const waiting = new Set(cast);
  const posts = createPositions(organization);
  const namesakes = new Map<string, number>();
  let buddy: number | null = null;

  for (let number = 1; number <= count + Math.ceil(count * 0.015); number += 1) {
    const random = randomFor(seed, 'person', number);
    const department = random.weighted(organization.departments);
    const site = random.weighted(organization.sites);
    const post = posts.next(department);
    const employment = drawEmployment(random, span, number > count, post.leads);
    const { hired, joined } = employment;
    const drawnName = nameIn(random.weighted(site.languages), random);
    const known = [...waiting].find((one) => fits(one, department, post));
    if (known) waiting.delete(known);
    const suspended = known ? null : employment.suspended;
    const name: FullName = known
      ? { first: [known.firstName, known.firstName], last: [known.lastName, known.lastName] }
      : drawnName;
    const mailbox = `${name.first[1]}.${name.last[1]}`;
    const namesake = (namesakes.get(mailbox) ?? 0) + 1;
    namesakes.set(mailbox, namesake);

    const id = writer.person({
      ...profileOf({ seed, number, random, organization, department, site, post, name, hired }),
      email: known?.email ?? `${mailbox}${namesake > 1 ? namesake : ''}@rollcall.example`,
      buddy: hired > span.today - 26 * week ? buddy : null,
      createdAt: joined,
      suspendedOn: suspended,
    });
    post.filledBy(id);
    if (random.chance(0.2)) buddy = id;

    const shareAbsent = joined > span.today - 5 * week ? 0.25 : 0.06;
    const isAbsent = random.chance(post.leads ? 0.01 : shareAbsent);
    const present = known !== undefined || !isAbsent;
    yield {
      id,
      department: department.name,
      manager: post.manager,
      leads: post.leads,
      hoursAhead: site.hoursAhead,
      joined,
      from: Math.max(joined, span.start),
      left: Math.min(suspended ?? span.end, span.end),
      curiosity: present ? 0.11 * Math.exp(1.15 * random.normal()) : 0,
      diligence: Math.min(1, Math.max(0.03, 0.62 + 0.25 * random.normal())),
      present,
    };
  }
}

function fits(known: CastMember, department: Department, post: Position): boolean {
  return department.name === known.department && post.leads === known.leads && post.teams.length > 0;
}

interface Employment {
  readonly hired: number;
  /** The account is created on the first day, or when the organization started to use the service. */
  readonly joined: number;
  readonly suspended: number | null;
}

/** Most people joined years ago, and about one in 25 joined last month. */
function drawDaysSinceHired(random: Random, leads: boolean): number {
  if (!leads && random.chance(0.04)) return random.whole(2, 32);
  return Math.ceil(-Math.log(1 - random.share()) * 1300) + (leads ? 400 : 20);
}

/** Some people leave in the span. */
function drawEmployment(random: Random, span: Span, joinsLater: boolean, leads: boolean): Employment {
  const opened = span.today - 3 * 365 * day;
  const daysAgo = joinsLater ? -random.whole(3, 60) : drawDaysSinceHired(random, leads);
  const hired = workingDayBefore(span.today - daysAgo * day);
  const joined = Math.max(hired, opened + random.whole(0, 20) * day) + 8 * hour + random.whole(0, 2 * hour);
  const leaves = !leads && random.chance(0.09);
  const earliest = Math.max(joined + 10 * day, span.start);
  const suspended = earliest + Math.floor((span.end - earliest) * random.share());
  return { hired, joined, suspended: leaves && suspended < span.end ? suspended : null };
}

interface ProfileInput {
  readonly seed: number;
  readonly number: number;
  readonly random: Random;
  readonly organization: Organization;
  readonly department: Department;
  readonly site: Site;
  readonly post: Position;
  readonly name: FullName;
  /** Epoch seconds. */
  readonly hired: number;
}

/** The profile of a person. */
function profileOf(about: ProfileInput): Omit<Person, 'email' | 'buddy' | 'createdAt' | 'suspendedOn'> {
  const { seed, number, random, organization, department, site, post, name, hired } = about;
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
      : `${random.whole(1, 240)} ${random.pick(site.streets)}, ${site.city}`,
    image: random.chance(0.4) ? null : `https://pictures.rollcall.example/${publicId}.jpg`,
    role: post.leads
      ? 'manager'
      : random.weighted([
          ['learner', 94],
          ['author', 5],
          ['administrator', 1],
        ]),
    region: site.region,
    language: random.chance(0.7) ? random.weighted(site.languages).language : 'en',
    units: {
      departments:
        random.chance(0.05) && second !== department ? [department.unit, second.unit] : [department.unit],
      locations: random.chance(0.12) ? [site.unit, organization.remote] : [site.unit],
      teams: post.teams,
      groups: random.chance(0.35) ? random.some(organization.groups, random.whole(1, 2)) : [],
      grades: [gradeOf(random, organization, post)],
      org_levels: [levelOf(random, organization, post)],
      partner: outside ? [partner] : [],
    },
    distributor: outside ? `Distribution ${site.region}` : null,
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
      note: random.chance(0.05) ? 'Prefers "Bo", not <b>Robert</b>; =ask first' : undefined,
    }),
  };
}

function rangeByRank<Range>(
  post: Position,
  ranges: { readonly top: Range; readonly leads: Range; readonly others: Range },
): Range {
  if (post.manager === null) return ranges.top;
  return post.leads ? ranges.leads : ranges.others;
}

function gradeOf(random: Random, organization: Organization, post: Position): number {
  const [low, high] = rangeByRank(post, { top: [7, 7], leads: [4, 6], others: [0, 4] });
  return organization.grades[random.whole(low, high)] ?? 0;
}

function levelOf(random: Random, organization: Organization, post: Position): number {
  const [low, high] = rangeByRank(post, { top: [0, 0], leads: [1, 2], others: [3, 5] });
  return organization.orgLevels[random.whole(low, high)] ?? 0;
}
