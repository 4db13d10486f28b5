// Builds everything that runs: the program (dist/src, dist/playground, dist/bench) and the playground's page (dist/page).
// With --if-installed it does nothing where TypeScript is not installed, so that `npm ci --omit=dev` succeeds.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const run = (...words) => execFileSync(process.execPath, words, { cwd: root, stdio: 'inherit' });

if (existsSync(compiler) || !process.argv.includes('--if-installed')) {
  run(compiler, '-p', 'tsconfig.build.json');
  run(
    'node_modules/vite/bin/vite.js',
    'build',
    '--config',
    'playground/slack/web/vite.config.ts',
    '--logLevel',
    'warn',
  );
}
