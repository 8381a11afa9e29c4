import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type BuildResult, build, buildSync, type Metafile } from 'esbuild';
import { type BuiltFile, type PageFiles, pageOf } from '#lib/dashboard/built-page.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENTRY = 'client/dashboard/main.tsx';
/** Styles that are loaded with the first screen after Today. */
const SCREEN_STYLES = 'client/dashboard/styles/screens.css';
const TEMPLATE = `${ROOT}client/dashboard/index.html`;

/** The files of one build. `metafile` says what each of them holds, for tests of their sizes. */
export type DashboardBuild = {
  readonly page: Buffer;
  /** Scripts, styles and pictures, by the names that the page and its scripts use. */
  readonly assets: readonly BuiltFile[];
  readonly metafile: Metafile;
};

/** Every `import()` begins a file of its own, which is loaded with the screen that needs it. Nothing is written. */
const OPTIONS = {
  absWorkingDir: ROOT,
  entryPoints: { main: ENTRY, screens: SCREEN_STYLES },
  outdir: 'assets',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  metafile: true,
  write: false,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  // The client looks whether it runs in Node.js.
  define: { 'globalThis.process': 'undefined' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.svg': 'file', '.png': 'file', '.woff2': 'file' },
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** Builds the dashboard in this process, without blocking it. */
export const buildDashboard = async (): Promise<DashboardBuild> => toBuild(await build(OPTIONS));

/** The same for CDK, which cannot wait. */
export const buildDashboardSync = (): DashboardBuild => toBuild(buildSync(OPTIONS));

function toBuild({ outputFiles, metafile }: BuildResult<typeof OPTIONS>): DashboardBuild {
  assertStylesLoad(metafile);
  const assets = outputFiles.map(({ path, contents }) => ({ name: basename(path), content: Buffer.from(contents) }));
  const page = pageOf(readFileSync(TEMPLATE, 'utf8'), loadedAtStart(metafile));
  return { page: Buffer.from(page), assets, metafile };
}

/** Nothing loads the styles that a lazily imported file brings: the browser would show its screen without them. */
function assertStylesLoad({ outputs }: Metafile): void {
  const late = Object.values(outputs).find(({ entryPoint, cssBundle }) => entryPoint !== ENTRY && cssBundle);
  if (late) throw new Error(`${late.entryPoint} is imported lazily: its styles belong into ${SCREEN_STYLES}.`);
}

/** What the page names: its script, the files that this imports at once, its styles, and those for later. */
function loadedAtStart({ outputs }: Metafile): PageFiles {
  const outputOf = (source: string) => Object.keys(outputs).find((file) => outputs[file]?.entryPoint === source) ?? '';
  const main = outputOf(ENTRY);
  const scripts = new Set([main]);
  for (const file of scripts)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement') scripts.add(path);
  return {
    scripts: [...scripts].map((file) => basename(file)),
    styles: basename(outputs[main]?.cssBundle ?? ''),
    laterStyles: basename(outputOf(SCREEN_STYLES)),
  };
}
