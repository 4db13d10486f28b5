import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../playground', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
);

test('only bot.ts imports the bot', () => {
  const importing = files.filter((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const paths = [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']*)'/g)].map(([, path]) => path ?? '');
    return paths.some((path) => relative(folder, resolve(folder, file, '..', path)).startsWith('..'));
  });
  expect(importing).toEqual(['bot.ts']);
});

test('the package has no scripts', () => {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(scripts).toBeUndefined();
});
