import { noFaults } from '../../../src/sandbox/reporting-service/faults/faults.js';
import { generateWorld } from '../../../src/sandbox/reporting-service/generator/generate.js';
import type { RunningReportingService } from '../../../src/sandbox/reporting-service/reporting-service.js';
import { reportServer } from '../../../src/sandbox/reporting-service/server.js';
import { startTurns } from '../../../src/sandbox/reporting-service/turns.js';
import { temporaryWorld, type World } from '../../../src/sandbox/reporting-service/world/world.js';
import { worldWriter } from '../../../src/sandbox/reporting-service/world/writer.js';
import { readTables, type Tables } from './naive/tables.js';

export interface WorldInArrays {
  readonly world: World;
  readonly tables: Tables;
  readonly service: RunningReportingService;
  /** Epoch seconds; may be moved. */
  now: number;
}

/** A generated world both ways: behind the real server, and as arrays for the naive reports. */
export async function generatedWorld(size: {
  seed: number;
  learners: number;
  now: number;
}): Promise<WorldInArrays> {
  const world = await temporaryWorld(async (db) => {
    const writer = worldWriter(db);
    await generateWorld(size, writer, startTurns());
    writer.finish();
  });
  const db = world.connect();
  const tables = readTables(db);
  db.close();
  const both: { now: number } = { now: size.now };
  const failures: unknown[] = [];
  const { server, idle } = reportServer({
    world: () => world,
    token: 'token',
    scheme: 'raw',
    filterBy: 'names',
    now: () => both.now * 1000,
    faults: noFaults(),
    onFailure: (error) => failures.push(error),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening');
  return Object.assign(both, {
    world,
    tables,
    service: {
      url: `http://127.0.0.1:${address.port}`,
      token: 'token',
      async stop() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await idle();
        await world.remove();
        if (failures.length > 0) throw failures[0];
      },
    },
  });
}
