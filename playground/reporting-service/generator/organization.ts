import type { UnitMember } from '../world/schema.js';
import type { WorldWriter } from '../world/writer.js';
import { type Language, languages } from './names.js';
import { identifier } from './random.js';

export interface Site {
  readonly unit: number;
  readonly city: string;
  readonly region: string;
  /** Hours ahead of UTC, for working hours. */
  readonly hoursAhead: number;
  readonly streets: readonly string[];
  readonly languages: readonly (readonly [Language, number])[];
}

export interface Department {
  readonly unit: number;
  readonly name: string;
  readonly jobs: readonly string[];
}

/** The units of every size. Teams are added with people. */
export interface Organization {
  readonly departments: readonly (readonly [Department, number])[];
  readonly sites: readonly (readonly [Site, number])[];
  readonly remote: number;
  readonly groups: readonly number[];
  readonly grades: readonly number[];
  readonly orgLevels: readonly number[];
  readonly partners: readonly number[];
  readonly categories: ReadonlyMap<string, number>;
  /** All teams so far. */
  teams(): readonly number[];
  addUnit(member: UnitMember, name: string): number;
}

const departments: readonly (readonly [name: string, weight: number, jobs: readonly string[]])[] = [
  ['Sales', 18, ['Account Executive', 'Sales Associate', 'VP, Sales & "Growth"', 'Key Account Manager']],
  ['Field Operations', 20, ['Field Technician', 'Route Planner', 'Operations Lead, Field', 'Dispatcher']],
  ['Support', 15, ['Support Agent', 'Support Agent (nights)', 'Escalation Specialist', 'Support Lead']],
  ['Engineering', 14, ['Software Engineer', 'Engineer, C++', 'QA Engineer', 'Site Reliability Engineer']],
  ['Warehouse', 12, ['Picker', 'Forklift Operator', 'Shift Supervisor', 'Inventory Clerk']],
  ['Marketing', 6, ['Campaign Manager', 'Copywriter', 'Brand Designer ✏️', 'Events Coordinator']],
  ['Finance', 5, ['Accountant', 'Controller', 'Payroll Specialist', 'Analyst (FP&A)']],
  ['People', 4, ['Recruiter', 'People Partner', 'Learning Designer', 'HR Généraliste']],
  ['Legal & Compliance', 3, ['Counsel', 'Compliance Officer', 'Privacy Analyst']],
  ['Research & Development', 3, ['Research Scientist', 'Lab Technician', 'Product Designer']],
];

const sites: readonly (readonly [Omit<Site, 'unit'>, number])[] = [
  [
    site('London', 'EMEA', 0, ['High Street', "King's Road", 'Mill Lane'], 'english english english polish'),
    14,
  ],
  [site('Berlin', 'EMEA', 1, ['Lindenstraße', 'Am Müggelsee', 'Allee'], 'german german russian'), 12],
  [site('Paris', 'EMEA', 1, ['rue de l’Église', 'avenue Foch'], 'french french arabic'), 9],
  [site('Madrid', 'EMEA', 1, ['Calle de la Peña', 'Gran Vía'], 'spanish'), 7],
  [site('Warsaw', 'EMEA', 1, ['ul. Żelazna', 'ul. Długa'], 'polish polish russian'), 7],
  [site('Athens', 'EMEA', 2, ['Οδός Ερμού', 'Λεωφόρος Συγγρού'], 'greek'), 3],
  [site('Cairo', 'EMEA', 2, ['شارع النيل', 'Tahrir Square'], 'arabic'), 5],
  [site('Tel Aviv', 'EMEA', 2, ['Rothschild Blvd', 'רחוב דיזנגוף'], 'hebrew english'), 3],
  [
    site('New York', 'Americas', -5, ['5th Avenue', 'Canal Street, Suite 4'], 'american american chinese'),
    13,
  ],
  [
    site('Austin', 'Americas', -6, ['Congress Avenue', 'Barton Springs Road'], 'american american spanish'),
    8,
  ],
  [site('São Paulo', 'Americas', -3, ['Avenida Paulista', 'Rua Augusta'], 'portuguese'), 6],
  [site('Bengaluru', 'Asia Pacific', 5, ['MG Road', 'Brigade Road, 2nd floor'], 'hindi hindi english'), 8],
  [site('Shanghai', 'Asia Pacific', 8, ['南京西路', '淮海中路'], 'chinese'), 4],
  [site('Tokyo', 'Asia Pacific', 9, ['千代田区丸の内', '渋谷区神南'], 'japanese japanese korean'), 5],
  [site('Hà Nội', 'Asia Pacific', 7, ['Phố Huế', 'Tràng Tiền'], 'vietnamese'), 3],
];

const groups = [
  'Mentors',
  'First Aiders',
  'Night Shift "B"',
  'Book Club 📚',
  'Pilot <Beta>',
  'Return to Work',
];
const partners = ['Harbour & Sons Retail', 'Blue Fern Logistics', 'Kōyō Trading'];
const orgLevels = ['Executive', 'Director', 'Manager', 'Senior', 'Associate', 'Trainee'];
const categories = [
  'Compliance',
  'Safety',
  'Onboarding',
  'Leadership',
  'Selling',
  'Customer Care',
  'Technology',
  'Wellbeing',
  'Languages',
];

function site(
  city: string,
  region: string,
  hoursAhead: number,
  streets: readonly string[],
  spoken: string,
): Omit<Site, 'unit'> {
  const names = spoken.split(' ') as (keyof typeof languages)[];
  return { city, region, hoursAhead, streets, languages: names.map((name) => [languages[name], 1]) };
}

export function writeOrganization(seed: number, writer: WorldWriter): Organization {
  let count = 0;
  const teams: number[] = [];
  function addUnit(member: UnitMember, name: string): number {
    count += 1;
    const unit = writer.unit({ publicId: identifier(seed, 'unit', count), member, name });
    if (member === 'teams') teams.push(unit);
    return unit;
  }
  return {
    departments: departments.map(([name, weight, jobs]) => [
      { unit: addUnit('departments', name), name, jobs },
      weight,
    ]),
    sites: sites.map(([where, weight]) => [{ unit: addUnit('locations', where.city), ...where }, weight]),
    remote: addUnit('locations', 'Remote'),
    groups: groups.map((name) => addUnit('groups', name)),
    grades: [1, 2, 3, 4, 5, 6, 7, 8].map((grade) => addUnit('grades', `G${grade}`)),
    orgLevels: orgLevels.map((name) => addUnit('org_levels', name)),
    partners: partners.map((name) => addUnit('partner', name)),
    categories: new Map(categories.map((name) => [name, addUnit('categories', name)])),
    teams: () => teams,
    addUnit,
  };
}

/** An open position in the organization. */
export interface Position {
  readonly teams: readonly number[];
  /** ID of the manager; null at the top. */
  readonly manager: number | null;
  /** True for managers. */
  readonly leads: boolean;
  /** Call with the person's ID before the next position. */
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

/** The first person leads everybody. The first of each department leads it, and the first of each nine a team. */
export function createPositions(organization: Organization): { next(department: Department): Position } {
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
    const founded = { unit: organization.addUnit('teams', name), lead: 0, members: 0 };
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
