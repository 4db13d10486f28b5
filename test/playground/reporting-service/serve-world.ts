import { type Faults, noFaults } from '../../../playground/reporting-service/faults.js';
import type { RunningReportingService } from '../../../playground/reporting-service/reporting-service.js';
import { reportServer } from '../../../playground/reporting-service/server.js';
import type { World } from '../../../playground/reporting-service/world/world.js';

/** The real server before any world; it fails the test that stops it when an answer failed for no reason. */
export async function serveWorld(
  world: World,
  now: () => number,
  faults: Faults = noFaults(),
): Promise<RunningReportingService> {
  const failures: unknown[] = [];
  const { server, idle } = reportServer({
    world: () => world,
    token: 'token',
    scheme: 'raw',
    filterBy: 'names',
    now: () => now() * 1000,
    faults,
    onFailure: (error) => failures.push(error),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening');
  return {
    url: `http://127.0.0.1:${address.port}`,
    token: 'token',
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await idle();
      await world.remove();
      if (failures.length > 0) throw failures[0];
    },
  };
}
