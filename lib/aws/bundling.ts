import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Ways to come by credentials that a function never goes: Lambda puts them into its environment, where the SDK looks
 * first. The SDK asks for each of these only when it comes to it, so they may be missing; together they are a third of
 * it.
 */
const OTHER_CREDENTIALS = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/** One file a function, `index.mjs`, whose `handler` Lambda calls. Without `module` first, packages come whole. */
export const bundlingOf = (name: string, folder: string) =>
  ({
    absWorkingDir: ROOT,
    entryPoints: [`functions/${name}/${name}.lambda.ts`],
    outfile: `${folder}/index.mjs`,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    external: OTHER_CREDENTIALS,
    legalComments: 'none',
  }) satisfies BuildOptions;

/** Every function there is, by the folder it lies in. */
export const bundledFunctions = (): readonly string[] =>
  readdirSync(`${ROOT}functions`, { recursive: true, encoding: 'utf8' })
    .flatMap((file) => /^([\w-]+)\/\1\.lambda\.ts$/.exec(file)?.[1] ?? [])
    .sort();
