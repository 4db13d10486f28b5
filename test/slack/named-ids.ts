import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = new URL('../../src/slack', import.meta.url).pathname;

/** The objects with IDs that Slack sends back, by their names, such as `digestActions`, as the code declares them. */
export const namedIds: ReadonlyMap<string, readonly string[]> = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /const (?<name>\w*(?:[aA]ctions|[vV]iews)) = \{\n(?<body>.*?)\n\} as const;/gs,
      ),
    ])
    .map(({ groups }) => [
      groups?.name ?? '',
      [...(groups?.body ?? '').matchAll(/^ {2}'?[\w-]+'?: '(?<id>\w+)',$/gm)].map(
        ({ groups }) => groups?.id ?? '',
      ),
    ]),
);
