import { yieldToEventLoop } from '../../../playground/reporting-service/event-loop.js';
import { generateWorld } from '../../../playground/reporting-service/generator/generate.js';
import type { RunningReportingService } from '../../../playground/reporting-service/reporting-service.js';
import { temporaryWorld, type World } from '../../../playground/reporting-service/world/world.js';
import { worldWriter } from '../../../playground/reporting-service/world/writer.js';
import { readTables, type Tables } from './naive/tables.js';
import { serveWorld } from './service.js';

export interface WorldInArrays {
  readonly world: World;
  readonly tables: Tables;
  readonly service: RunningReportingService;
  /** Epoch seconds. Tests may change it. */
  now: number;
}

/** A generated world behind the real server, and the same as arrays for the naive reports. */
export async function generatedWorld(size: {
  seed: number;
  learners: number;
  now: number;
}): Promise<WorldInArrays> {
  const world = await temporaryWorld(async (db) => {
    const writer = worldWriter(db);
    await generateWorld(size, writer, yieldToEventLoop());
    writer.finish();
  });
  const db = world.connect();
  const tables = readTables(db);
  db.close();
  const clock = { now: size.now };
  return Object.assign(clock, { world, tables, service: await serveWorld(world, () => clock.now) });
}
