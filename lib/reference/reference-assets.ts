import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const OPTIONS = {
  absWorkingDir: ROOT,
  entryPoints: { docs: 'client/reference/main.ts', style: 'client/reference/styles/index.css' },
  outdir: 'assets',
  entryNames: '[name]-[hash]',
  bundle: true,
  write: false,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

type ReferenceAssets = { readonly script: Asset; readonly styles: Asset };
type Asset = { readonly name: string; readonly content: Buffer };

/** The script and the styles of all pages. Their names are hashes of what they hold. */
export function referenceAssets(): ReferenceAssets {
  const files = buildSync(OPTIONS).outputFiles.map(({ path, contents }) => ({
    name: basename(path),
    content: Buffer.from(contents),
  }));
  const named = (ending: string): Asset => {
    const file = files.find(({ name }) => name.endsWith(ending));
    if (!file) throw new Error(`The build of the documentation has no ${ending}.`);
    return file;
  };
  return { script: named('.js'), styles: named('.css') };
}
