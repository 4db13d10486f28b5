import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the browser for all browser tests; undefined if no Chromium is installed. */
    browserAddress: string | undefined;
  }
}

const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-site-isolation-trials',
];

/** Starts one browser before the browser tests, and stops it afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = paths.find((path) => existsSync(path));
  // Chromium hangs under libfaketime (`scripts/test-at-hours.js`), so that its pages have the machine's time.
  const env = { ...process.env, LD_PRELOAD: undefined };
  const server = executablePath
    ? await chromium.launchServer({ executablePath, args: flags, env })
    : undefined;
  project.provide('browserAddress', server?.wsEndpoint());
  return async () => server?.close();
}
