import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Metafile } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * What the SDK loads only when it needs it, and a function never does. Credentials: Lambda puts them into the
 * environment, where the SDK looks first. Event streams: no service that we call has them; bundled, they would also
 * keep the SDK's core from being reduced to what is used. `bowser` is for browsers.
 */
const UNUSED_PARTS_OF_THE_SDK = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/core/event-streams',
  '@smithy/credential-provider-imds',
  'bowser',
];

/**
 * `index.mjs`, whose `handler` Lambda calls, and a file for each part that is imported when it is first used. `module`
 * comes first, or else packages are bundled whole.
 */
export const bundlingOf = (name: string, folder: string) =>
  ({
    absWorkingDir: ROOT,
    entryPoints: { index: `functions/${name}/${name}.lambda.ts` },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    metafile: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    alias: {
      'node:http': `${ROOT}lib/aws/node-http.ts`,
      '@aws-sdk/endpoint-cache': `${ROOT}lib/aws/endpoint-cache.ts`,
      '@modelcontextprotocol/server/_shims': `${ROOT}lib/aws/mcp-shims.ts`,
    },
    // The SDK imports its package files for a version that it tells AWS. Our document says that it is JSON.
    loader: { '.json': 'empty' },
    external: UNUSED_PARTS_OF_THE_SDK,
    legalComments: 'none',
  }) satisfies BuildOptions;

/** The files of a bundle that are loaded at the start; the others are imported when they are used. */
export function loadedAtStart({ outputs }: Metafile): readonly string[] {
  const found = new Set(Object.keys(outputs).filter((file) => file.endsWith('/index.mjs')));
  for (const file of found)
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) found.add(path);
  return [...found];
}

/** Bytes by package in these files, largest first; this project counts as one. */
export function bytesByPackage(
  { outputs }: Metafile,
  files: readonly string[],
): readonly (readonly [string, number])[] {
  const bytes = new Map<string, number>();
  for (const [input, { bytesInOutput }] of files.flatMap((file) => Object.entries(outputs[file]?.inputs ?? {}))) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? 'payfork';
    bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
  }
  return [...bytes].sort((a, b) => b[1] - a[1]);
}

/** Every function, by the folder of its entry point. */
export const bundledFunctions = (): readonly string[] =>
  readdirSync(`${ROOT}functions`, { recursive: true, encoding: 'utf8' })
    .flatMap((file) => /^([\w-]+)\/\1\.lambda\.ts$/.exec(file)?.[1] ?? [])
    .sort();
