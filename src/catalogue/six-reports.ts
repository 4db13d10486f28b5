import { assessments } from './assessments.js';
import { assignments } from './assignments.js';
import { completions } from './completions.js';
import { engagement } from './engagement.js';
import type { Report } from './report.js';
import { tracks } from './tracks.js';
import { workshops } from './workshops.js';

/** Every report there is, in the order that help lists them. Its source is the service's own description. */
export const sixReports: readonly Report[] = [
  assignments,
  tracks,
  completions,
  assessments,
  engagement,
  workshops,
];
