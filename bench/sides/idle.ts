import { serveSide } from '../harness/side.js';
import { watchStalls } from '../harness/stalls.js';

/* A process that does nothing. Its stalls are those of the machine. */

const longestStall = watchStalls();

serveSide<'how'>(async () => longestStall());
