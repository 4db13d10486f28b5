import type { Department, Organization } from './organization.js';

/** A place in the tree of the organization that somebody is about to take. */
export interface Post {
  readonly teams: readonly number[];
  /** The person to report to; null for the one at the top. */
  readonly manager: number | null;
  /** True for those who others report to. */
  readonly leads: boolean;
  /** To be called with the id of the person, before the next post is asked for. */
  filledBy(person: number): void;
}

interface Team {
  readonly unit: number;
  lead: number;
  members: number;
}

const teamSize = 9;
const teamNames = [
  'North',
  'South',
  'Équipe Été',
  '"A" Team',
  '東',
  'Rocket 🚀',
  "Founders'",
  '=Core',
  'Alpha',
];

/** The first person leads all, the first of each department it, and the first of each nine a team in it. */
export function openPosts(organization: Organization): { next(department: Department): Post } {
  let chief: number | null = null;
  const heads = new Map<Department, number>();
  const teams = new Map<Department, Team[]>();

  function team(department: Department): Team {
    const known = teams.get(department) ?? [];
    teams.set(department, known);
    const last = known.at(-1);
    if (last && last.members < teamSize) return last;
    const round = Math.floor(known.length / teamNames.length);
    const name = `${department.name} ${teamNames[known.length % teamNames.length]}${round > 0 ? ` ${round + 1}` : ''}`;
    const founded = { unit: organization.found('teams', name), lead: 0, members: 0 };
    known.push(founded);
    return founded;
  }

  return {
    next(department) {
      const head = heads.get(department);
      if (chief === null || head === undefined) {
        const manager = chief;
        return {
          teams: [],
          manager,
          leads: true,
          filledBy(person) {
            if (chief === null) chief = person;
            else heads.set(department, person);
          },
        };
      }
      const of = team(department);
      const leads = of.members === 0;
      return {
        teams: [of.unit],
        manager: leads ? head : of.lead,
        leads,
        filledBy(person) {
          if (leads) of.lead = person;
          of.members += 1;
        },
      };
    },
  };
}
