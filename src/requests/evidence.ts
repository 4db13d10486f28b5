import { sinceLastYear, weekFromNow } from './range-words.js';
import { type PartOfRequest, rangesOf } from './request.js';

/** Why a request can have no evidence: its report has no range, or none was typed. */
export type EvidenceRefusal = 'no-range' | 'range-missing';

/** Evidence is about a range that somebody chose, so that its file says so. */
export function evidenceRefusal(request: PartOfRequest): EvidenceRefusal | undefined {
  if (request.file !== 'evidence') return undefined;
  if (!rangesOf(request).shown) return 'no-range';
  return (request.range ?? request.assigned) === undefined ? 'range-missing' : undefined;
}

/** The range that evidence takes where none was chosen: the default of the request, if people can type it. */
export function ownRangeOfEvidence(request: PartOfRequest): string | undefined {
  const words = rangesOf(request).shown?.words;
  const canBeTyped = words !== weekFromNow.words && words !== sinceLastYear.words;
  return canBeTyped && evidenceRefusal(request) === 'range-missing' ? words : undefined;
}

/** A range to offer where evidence has none: the default of the request, if people can type it. */
export function rangeForEvidence(request: PartOfRequest): string {
  const { words = '' } = rangesOf(request).shown ?? {};
  if (words === weekFromNow.words) return 'this-month';
  return words === sinceLastYear.words ? 'last-month' : words;
}
