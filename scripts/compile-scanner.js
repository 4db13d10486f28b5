// Compiles assembly/scanner.ts into src/reporting-api/answer/scanner-code.ts, which is kept in the repository: the
// program then needs no compiler, and no file beside it. `--check` writes nothing, and fails where the two differ.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'assembly/scanner.ts';
const target = `${root}src/reporting-api/answer/scanner-code.ts`;
const options = '-O3 --enable simd --runtime stub --noAssert --importMemory --noExportMemory --use abort=';
const hash = createHash('sha256')
  .update(readFileSync(`${root}${source}`))
  .digest('hex');
const written = existsSync(target) ? readFileSync(target, 'utf8') : '';

if (process.argv.includes('--check')) {
  if (written !== (await compiled()))
    throw new Error('Run npm run build: the code is not that of the source');
} else if (!written.includes(hash)) {
  writeFileSync(target, await compiled());
}

async function compiled() {
  const { default: compiler } = await import('assemblyscript/asc');
  let code;
  const { error, stderr } = await compiler.main(
    [source, '--baseDir', root, '--outFile', 'scanner.wasm', ...options.split(' ')],
    {
      writeFile: (_, bytes) => {
        code = Buffer.from(bytes);
      },
    },
  );
  if (error) throw new Error(stderr.toString(), { cause: error });
  return `// ${source} as compiled by \`npm run build\`.
// SHA-256 of its source: ${hash}
export const scannerCode =
  '${code.toString('base64')}';
`;
}
