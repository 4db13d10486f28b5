import type { Assignment } from '../world/schema.js';
import type { Library, Piece } from './library.js';
import type { Learner } from './people.js';
import { atWork, day, outOfQuietSeason, randomFor, type Span, week } from './random.js';

/** An assignment to many people on one day. */
export interface Campaign {
  readonly piece: Piece;
  readonly at: number;
  readonly dueAt: number | null;
  readonly assigner: number;
  /** Absent: everybody. */
  readonly department?: string;
  /** Share of the audience that gets it. */
  readonly share: number;
}

/** Recurring assignments for everybody. */
const forEverybody = [
  'Code of Conduct',
  'Information Security Basics',
  'GDPR basics',
  'Spot the Phish 🎣',
  'Fire Safety',
  'Safety Test',
];

/** Assignments by department. */
const byDepartment: Readonly<Record<string, readonly string[]>> = {
  Sales: ['Discovery Calls', 'Product Knowledge', 'Pricing in 5 minutes, honest version'],
  'Field Operations': ['Lifting Without Hurting', 'Safety Test', 'Gifts, Favours & Bribes'],
  Support: ['The calm conversation', 'Support Certification', 'Escalate or solve?'],
  Engineering: ['Security Quiz', 'Git for the rest of us', 'Accessibility checklist'],
  Warehouse: ['Forklift Licence', 'Lifting Without Hurting', 'Fire Safety'],
  'Legal & Compliance': ['Compliance Check', 'Who may see what?'],
};

/** Assigned on the first day, with the days until the deadline. */
export const forNewcomers: readonly (readonly [title: string, days: number])[] = [
  ['Code of Conduct', 14],
  ['GDPR basics', 30],
  ['First Month Check', 45],
];

/** All campaigns in the span, in no particular order. */
export function planCampaigns(
  seed: number,
  span: Span,
  library: Library,
  learners: readonly Learner[],
): Campaign[] {
  const random = randomFor(seed, 'campaigns');
  const leads = learners.filter(({ leads }) => leads);
  const campaigns: Campaign[] = [];
  function plan(title: string, every: number, share: number, department?: string) {
    const piece = library.byTitle.get(title);
    if (!piece) throw new Error(`The library has no ${title}`);
    const heads = leads.filter((lead) => department === undefined || lead.department === department);
    for (
      let at = span.start + random.whole(0, every);
      at < span.end;
      at += (every * random.whole(70, 130)) / 100
    ) {
      at = outOfQuietSeason(random, at);
      const dueAt = random.chance(0.9) ? endOfDay(at + random.pick([7, 14, 14, 21, 30]) * day) : null;
      const assigner = random.pick(heads.length > 0 ? heads.slice(0, 5) : leads).id;
      campaigns.push({
        piece,
        at: atWork(random, startOfDay(at), 1),
        dueAt,
        assigner,
        share,
        department,
      });
    }
  }
  for (const title of forEverybody) plan(title, 56 * week, 0.7);
  for (const [department, titles] of Object.entries(byDepartment)) {
    for (const title of titles) plan(title, 36 * week, 0.5, department);
  }
  return campaigns;
}

export const startOfDay = (instant: number) => Math.floor(instant / day) * day;

/** The last minute of a day, UTC: when most due dates fall. */
export const endOfDay = (instant: number) => startOfDay(instant) + day - 60;

/** What the events of all learners need. */
export interface LearningContext {
  readonly span: Span;
  readonly library: Library;
  readonly campaigns: readonly Campaign[];
  /** Writes an assignment and returns its id. */
  assign(row: Omit<Assignment, 'publicId'>): number;
}
