import type { BenchLine } from '../harness/line.js';
import { acknowledging } from './acknowledging.js';
import { answerMemory } from './answer-memory.js';
import { answerToCsv } from './answer-to-csv.js';
import { answerWithSummary } from './answer-with-summary.js';
import { claiming } from './claiming.js';
import { conditions } from './conditions.js';
import { countingPeople } from './counting-people.js';
import { digests, digestsOnPostgres } from './digests.js';
import { enterToMessage } from './enter-to-message.js';
import { evidence } from './evidence.js';
import { managers } from './managers.js';
import { overTime } from './over-time.js';
import { processes } from './processes.js';
import { protectedBreakdown } from './protected-breakdown.js';
import { serving } from './serving.js';
import { starting } from './starting.js';
import { startingFull } from './starting-full.js';
import { uploading } from './uploading.js';

/** Every line of `npm run bench`, in the order in which they run. */
export const benchLines: readonly BenchLine[] = [
  answerToCsv,
  answerWithSummary,
  answerMemory,
  conditions,
  countingPeople,
  evidence,
  protectedBreakdown,
  overTime,
  acknowledging,
  enterToMessage,
  starting,
  startingFull,
  uploading,
  serving,
  claiming,
  processes,
  digests,
  digestsOnPostgres,
  managers,
];
