import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Credential providers that a function never uses: Lambda puts credentials into the environment, where the SDK looks
 * first. The SDK loads each of these only when it needs it, so they can be left out. Together they are a third of the
 * SDK.
 */
const UNUSED_CREDENTIAL_PROVIDERS = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/**
 * One file per function, `index.mjs`, whose `handler` Lambda calls. `module` comes first, or else packages are bundled
 * whole.
 */
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
    external: UNUSED_CREDENTIAL_PROVIDERS,
    legalComments: 'none',
  }) satisfies BuildOptions;

/** Every function, by the folder of its entry point. */
export const bundledFunctions = (): readonly string[] =>
  readdirSync(`${ROOT}functions`, { recursive: true, encoding: 'utf8' })
    .flatMap((file) => /^([\w-]+)\/\1\.lambda\.ts$/.exec(file)?.[1] ?? [])
    .sort();
