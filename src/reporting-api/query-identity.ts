import { createHash } from 'node:crypto';
import type { Query, ReadPlan } from '../runner/ports.js';

/** The identity of a query. Queries with the same identity can share an answer. */
export interface QueryIdentity {
  /** A hash of every part of the query and of its plan but the path of the file, `now` and the instants below. */
  readonly key: string;
  /** The instants of its ranges, in milliseconds since the epoch and in a fixed order. Some of them may be now. */
  readonly instants: readonly number[];
}

/**
 * The identity of a query with what is read from its answer. What its reader may see is part of it: forced filters are in
 * the query; the check of rows, protected groups and listed people are in the plan. New parts of either count by
 * themselves, because only what is named here is left out.
 */
export function queryIdentity(query: Query, plan: ReadPlan): QueryIdentity {
  const { range, ...rest } = query;
  const { figures, file, dueRange: ofRows, ...reading } = plan;
  const { now: _now, range: counted, dueRange, asOf, ...counting } = figures ?? {};
  const { path: _path, ...ofFile } = file ?? {};
  const bounds = [range, counted, dueRange, ofRows].flatMap((bounded) => [bounded?.from, bounded?.until]);
  const instants = [...bounds.map((seconds) => (seconds === undefined ? undefined : seconds * 1000)), asOf];
  const parts = [
    rest,
    reading,
    figures && counting,
    daysOf(dueRange),
    daysOf(ofRows),
    file && ofFile,
    instants.map((instant) => instant !== undefined),
  ];
  return {
    key: createHash('sha256').update(JSON.stringify(parts)).digest('base64url'),
    instants: instants.filter((instant) => instant !== undefined),
  };
}

function daysOf(range: ReadPlan['dueRange']) {
  return range && { ...range, from: undefined, until: undefined };
}

/** Says whether people were erased. */
export interface Erasures {
  /** True if a person was erased at that time or later, in milliseconds since the epoch. */
  readonly wasAnybodyErased: (since: number) => Promise<boolean>;
}

/** The clocks of two processes on a database may differ by this much. */
const maxClockDifferenceMs = 5 * 60_000;

/** True if what was read at that time must not be used again. */
export async function wasErasedSince(time: number, { wasAnybodyErased }: Erasures): Promise<boolean> {
  return wasAnybodyErased(time - maxClockDifferenceMs).catch(() => true);
}
