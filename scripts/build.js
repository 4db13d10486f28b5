// Builds everything that runs: the program (dist/src, dist/bench) and the playground's page (dist/page).
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (...words) => execFileSync(process.execPath, words, { cwd: root, stdio: 'inherit' });

run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
if (existsSync(new URL('../playground/slack/web/vite.config.ts', import.meta.url))) {
  run(
    'node_modules/vite/bin/vite.js',
    'build',
    '--config',
    'playground/slack/web/vite.config.ts',
    '--logLevel',
    'warn',
  );
}
