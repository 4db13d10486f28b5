import type { EventKind } from './event-kinds.js';

/** Filter members whose entries name a unit of the organization or a category of the library. */
export const unitMembers = [
  'departments',
  'locations',
  'teams',
  'groups',
  'grades',
  'org_levels',
  'partner',
  'categories',
] as const;
export type UnitMember = (typeof unitMembers)[number];

export const isUnitMember = (member: string): member is UnitMember =>
  unitMembers.some((each) => each === member);

/** What can be learnt, and the two things that hold others: a track holds contents, a journey holds tracks. */
export const contentTypes = [
  'article',
  'video',
  'course',
  'document',
  'podcast',
  'link',
  'assessment',
  'workshop',
  'track',
  'journey',
] as const;
export type ContentType = (typeof contentTypes)[number];

export const isCollection = (type: ContentType) => type === 'track' || type === 'journey';

export const roles = ['learner', 'manager', 'author', 'administrator'] as const;
export type Role = (typeof roles)[number];

/** Numbers that stand for rows are the `id`s of this database; `publicId` is what the outside knows. */
export interface Unit {
  readonly publicId: string;
  readonly member: UnitMember;
  readonly name: string;
}

export interface Person {
  readonly publicId: string;
  readonly userid: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly jobTitle: string | null;
  readonly address: string | null;
  readonly image: string | null;
  readonly role: Role;
  readonly region: string | null;
  readonly language: string | null;
  /** Ids of units, at most one each for grade, org level and partner; the first group is the main one. */
  readonly units: { readonly [member in Exclude<UnitMember, 'categories'>]: readonly number[] };
  readonly distributor: string | null;
  readonly manager: number | null;
  readonly buddy: number | null;
  readonly isPurchaser: boolean;
  /** A day, `2026-11-20`. */
  readonly hiredOn: string | null;
  readonly createdAt: number;
  readonly suspendedOn: number | null;
  /** The text of a JSON object. */
  readonly metadata: string;
}

export interface Content {
  readonly publicId: string;
  readonly type: ContentType;
  readonly title: string;
  readonly createdBy: number | null;
  readonly createdAt: number;
  readonly archived: boolean;
  readonly minutes: number | null;
  /** Points of 100 that pass; assessments only. */
  readonly passMark: number | null;
  /** The text of a JSON object. */
  readonly metadata: string;
  /** Categories, and the units of the organization that it is meant for. */
  readonly units: readonly number[];
  readonly collaborators: readonly number[];
}

export interface Instance {
  readonly publicId: string;
  readonly workshop: number;
  readonly host: number | null;
  /** Nobody sees the session before. */
  readonly announcedAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly canceledAt: number | null;
  /** Nobody can register from then on. */
  readonly closesAt: number | null;
  /** null: as many as come. */
  readonly offeredSeats: number | null;
  /** null: there is no waitlist. */
  readonly waitlistSeats: number | null;
}

export interface Assignment {
  readonly publicId: string;
  readonly person: number;
  readonly content: number;
  readonly assigner: number | null;
  readonly dueAt: number | null;
}

export interface LearningEvent {
  readonly at: number;
  readonly kind: EventKind;
  readonly person: number;
  readonly content?: number | undefined;
  readonly track?: number | undefined;
  readonly journey?: number | undefined;
  readonly assignment?: number | undefined;
  readonly instance?: number | undefined;
  readonly amount?: number | undefined;
  readonly by?: number | undefined;
}
