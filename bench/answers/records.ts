const firstNames = ['Anna', 'Mark', 'Lena', 'Priya', 'Tom', 'Marie', 'Ken', 'Zoë', 'Aisha', 'Paul'];
const lastNames = [
  'Smith',
  'Garcia',
  'Jones',
  'Silva',
  'Brown',
  'Kim',
  'Mohr',
  'Novák',
  'Okafor',
  'Rossi',
  'Lind',
];
const departments = [
  'Sales',
  'Field Operations',
  'Support',
  'Finance, Berlin',
  'Warehouse',
  'People',
  'Engineering',
];
const jobTitles = [
  'Store associate',
  'Shift lead',
  'Regional "hub" manager',
  '=Lead',
  'Technician',
  'Trainer',
];
const titles = [
  'Fire safety',
  'First aid, part 2',
  'Code of conduct',
  'Überblick Datenschutz',
  'Forklift basics',
];

/** Placeholder for a number that is unique to each record: eight digits. */
export const ownNumber = '########';

const day = (seed: number) => `20${23 + (seed % 4)}-${two(1 + (seed % 12))}-${two(1 + (seed % 28))}`;
const moment = (seed: number) =>
  `${day(seed)}T${two(seed % 24)}:${two((seed * 7) % 60)}:${two((seed * 13) % 60)}Z`;
const two = (number: number) => String(number).padStart(2, '0');
const of = (list: readonly string[], seed: number) => list[seed % list.length] ?? '';

function person(seed: number) {
  const [first, last] = [of(firstNames, seed), of(lastNames, seed * 7 + 3)];
  return {
    first_name: first,
    last_name: last,
    email: `${first}.${last}.${ownNumber}@ex.org`.toLowerCase(),
    userid: ownNumber,
    departments:
      seed % 4 === 0 ? [of(departments, seed), of(departments, seed * 3 + 1)] : [of(departments, seed)],
    job_title: of(jobTitles, seed * 5),
    manager_email: `m.${seed % 200}@example.org`,
  };
}

/** A record of user engagement: 25 fields, about 560 bytes of JSON, with every kind of value. */
export function engagementRecord(seed: number): object {
  return {
    ...person(seed),
    locations: `S${seed % 40}`,
    created_at: day(seed * 3),
    last_login: seed % 7 === 0 ? null : moment(seed * 5 + 1),
    hired_on: seed % 11 === 0 ? null : day(seed),
    suspended: seed % 50 === 0,
    is_manager: seed % 9 === 0,
    sessions: seed % 40,
    views: (seed * 17) % 400,
    seconds_viewed: (seed * 7919) % 90_000,
    assignments_completed: seed % 6,
    assignments_pending: seed % 4,
    tracks_completed: seed % 2,
    shares: seed % 3,
    comments: seed % 5,
    likes: (seed * 3) % 20,
    ratings: seed % 4,
    ratings_average: seed % 3 === 0 ? null : ((seed * 7) % 50) / 10,
    user_metadata: { cost: `C${seed % 90}`, badge: seed % 1000 },
  };
}

/** The same of a person who has many: each block of records has the same people. */
export function repeatedRecord(seed: number): object {
  return JSON.parse(JSON.stringify(engagementRecord(seed)).replaceAll(ownNumber, String(10_000_000 + seed)));
}

/** A record of content completion: four nested objects among a learner's fields. */
export function completionRecord(seed: number): object {
  const title = of(titles, seed);
  return {
    ...person(seed),
    content: {
      id: `6523f1c0a9b4e2d1${ownNumber}`,
      title,
      type: seed % 3 === 0 ? 'video' : 'lesson',
      completed_at: moment(seed),
      seconds: (seed * 31) % 4000,
      tags: [of(departments, seed), 'mandatory'],
    },
    track:
      seed % 3 === 0
        ? null
        : { id: `8123f1c0a9b4e2d1${ownNumber}`, title: `${title}: track`, status: 'completed' },
    journey:
      seed % 5 === 0
        ? null
        : { id: `9123f1c0a9b4e2d1${ownNumber}`, title: 'Onboarding', status: 'in progress' },
    assignment: {
      id: `7123f1c0a9b4e2d1${ownNumber}`,
      due_date: day(seed + 9),
      assigned_date: day(seed + 2),
      assigner: { name: of(firstNames, seed + 4), email: `manager.${seed % 200}@example.com` },
    },
  };
}

/** A completion record with a member that no other record has. */
export function lateRecord(seed: number): object {
  return { ...completionRecord(seed), track: { id: ownNumber, title: 'Late', certificate: 'C-1' } };
}

/** The managers of `teamRecord`, by the handles of `companyOf`, and the people of each. */
export const teams = { managers: 5000, people: 4 };

/** An overdue assignment of a person who has one of many managers. Each person has a row in every `managers * people`. */
export function teamRecord(seed: number): object {
  const someone = seed % (teams.managers * teams.people);
  return {
    ...person(someone),
    userid: `p${someone}`,
    email: `p${someone}@ex.org`,
    manager_email: `owner${someone % teams.managers}@example.com`,
    content_id: `6523f1c0a9b4e2d1${ownNumber}`,
    content_title: of(titles, seed),
    assignment_id: `7123f1c0a9b4e2d1${ownNumber}`,
    assignment_status: seed % 3 === 0 ? 'in_progress' : 'not_started',
    assigned_date: '2025-01-15T08:00:00Z',
    due_date: `2025-${two(2 + (seed % 10))}-${two(1 + (seed % 28))}`,
    completed_date: null,
  };
}

/** How many groups people of `overlappingRecord` are in altogether, and one of them at most. */
const groups = { all: 200, each: 40 };

/** A record of user engagement whose person is in up to forty of two hundred groups. */
export function overlappingRecord(seed: number): object {
  let state = seed + 1;
  const random = (below: number) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % below;
  };
  const own = new Set(
    Array.from({ length: 1 + random(groups.each) }, () => `Group ${1 + random(groups.all)}`),
  );
  return {
    userid: ownNumber,
    email: `p.${ownNumber}@ex.org`,
    groups: [...own],
    sessions: random(20),
    views: random(200),
    seconds_viewed: random(20_000),
    assignments_completed: random(4),
    tracks_completed: random(2),
    ratings: seed % 9 === 0 ? 2 : 0,
    ratings_average: seed % 9 === 0 ? 4.5 : null,
  };
}
