// A reporter of Vitest that writes one JSON line for each file as it ends, and one at the end of the run. Where Vitest
// itself dies, the lines so far are there.
import { appendFileSync } from 'node:fs';

export default class CountTests {
  onTestModuleEnd(module) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // One that is still pending at the end of its file did not run.
      counts[state === 'pending' ? 'failed' : state] += 1;
    }
    // A file that cannot be loaded has no tests.
    if (module.state() === 'failed' && counts.failed === 0) counts.failed = 1;
    write({ file: module.relativeModuleId, ...counts });
  }

  onTestRunEnd(_modules, unhandledErrors) {
    write({ isOver: true, unhandledErrors: unhandledErrors.length });
  }
}

function write(line) {
  appendFileSync(process.env.TEST_COUNTS_FILE, `${JSON.stringify(line)}\n`);
}
