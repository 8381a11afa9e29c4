import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard, type DashboardBuild } from '#lib/dashboard/build-dashboard.ts';

const KB = 1_000;
/** Everything that somebody loads who opens the dashboard for the first time and sees Today, in English. */
const MAX_FIRST_SCREEN = 70 * KB;
/** What a screen adds when it is opened. */
const MAX_SCREEN = 25 * KB;

const ENTRY = 'client/dashboard/main.tsx';
const TODAY = 'client/dashboard/screens/today/today.screen.tsx';
/** Imported when there is something to draw. */
const CHART = 'client/dashboard/ui/draw-chart.ts';

let built: DashboardBuild;
let sizes: ReadonlyMap<string, number>;
beforeAll(async () => {
  built = await buildDashboard();
  sizes = new Map(built.assets.map(({ name, content }) => [name, gzipSync(content).length]));
}, 60_000);

type Outputs = Metafile['outputs'];
const outputs = (): Outputs => built.metafile.outputs;

/** The output that a source begins, which is imported under its name. */
const outputOf = (source: string): string => {
  const found = Object.keys(outputs()).find((file) => outputs()[file]?.entryPoint === source);
  if (found === undefined) throw new Error(`The build has no file that begins with ${source}.`);
  return found;
};

/** These files and all that they import at once. */
function withImports(files: readonly string[]): ReadonlySet<string> {
  const found = new Set(files);
  for (const file of found)
    for (const { path, kind } of outputs()[file]?.imports ?? []) if (kind === 'import-statement') found.add(path);
  return found;
}

const stylesOf = (file: string): readonly string[] => [outputs()[file]?.cssBundle ?? ''];
const sizeOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + (sizes.get(basename(file)) ?? 0), 0);
const inKb = (bytes: number): string => `${(bytes / KB).toFixed(1)} kB`;

const atStart = (): ReadonlySet<string> => withImports([outputOf(ENTRY)]);
const screens = (): readonly string[] =>
  Object.values(outputs()).flatMap(({ entryPoint = '' }) => (/\.screen\.tsx$/.test(entryPoint) ? [entryPoint] : []));

describe('the size of the dashboard, compressed', () => {
  it('is at most 70 kB for the first screen: page, styles, scripts, and Today with its charts', () => {
    const scripts = withImports([ENTRY, TODAY, CHART].map(outputOf));
    const parts = {
      page: gzipSync(built.page).length,
      styles: sizeOf(stylesOf(outputOf(ENTRY))),
      scripts: sizeOf(scripts),
    };
    const total = parts.page + parts.styles + parts.scripts;
    const shown = Object.entries(parts).map(([name, bytes]) => `${name} ${inKb(bytes)}`);
    console.info(`First screen: ${inKb(total)} (${shown.join(', ')})`);
    for (const file of [...scripts].sort((a, b) => sizeOf([b]) - sizeOf([a])))
      console.info(`  ${inKb(sizeOf([file]))} ${basename(file)}`);
    expect(parts.styles).toBeGreaterThan(KB);
    expect(total).toBeLessThanOrEqual(MAX_FIRST_SCREEN);
  });

  it('of every other screen is what it adds to that', () => {
    const before = atStart();
    const added = screens().map((screen) => {
      const own = [...withImports([outputOf(screen)])].filter((file) => !before.has(file));
      return { screen, bytes: sizeOf(own) };
    });
    for (const { screen, bytes } of added.sort((a, b) => b.bytes - a.bytes))
      console.info(`${inKb(bytes)} ${screen.replace('client/dashboard/screens/', '')}`);
    expect(added.length).toBeGreaterThan(10);
    expect(added.filter(({ bytes }) => bytes > MAX_SCREEN)).toEqual([]);
  });

  it('holds no screen in what is loaded at the start, so that each is loaded when it is opened', () => {
    const inputs = [...atStart()].flatMap((file) => Object.keys(outputs()[file]?.inputs ?? {}));
    expect(inputs.length).toBeGreaterThan(20);
    expect(inputs.filter((input) => /\.screen\.tsx$/.test(input))).toEqual([]);
  });

  it('comes from preact, its router and the charts alone, besides the source of this project', () => {
    const inputs = [...withImports([ENTRY, CHART, ...screens()].map(outputOf))].flatMap((file) =>
      Object.keys(outputs()[file]?.inputs ?? {}),
    );
    const packages = inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
    expect([...new Set(packages)].sort()).toEqual(['preact', 'preact-iso', 'uplot']);
    const own = inputs.filter((input) => !input.includes('node_modules/'));
    expect(own.filter((input) => !/^(client|shared\/domain)\//.test(input))).toEqual([]);
  });
});
