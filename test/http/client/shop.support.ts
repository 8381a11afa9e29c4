import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { fourFreePorts } from '#test/support/free-ports.ts';

const PACKAGE = 'client/typescript';
const TSC = resolve('node_modules/.bin/tsc');
const STRICT = [
  ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noImplicitOverride'],
  ...['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom'],
];

/** Not `execFileSync`: the host that is called runs in this process. */
export const run = promisify(execFile);

export type Shop = {
  readonly folder: string;
  /** What a strict compiler says about these files. It is empty if all is well. */
  readonly typeErrors: (files: readonly string[], ...options: readonly string[]) => Promise<string>;
  /** Starts a server of the shop, which says where it listens. */
  readonly start: (file: string, env: Readonly<Record<string, string>>) => Promise<Server>;
  readonly remove: () => void;
};
export type Server = { readonly url: string; readonly printed: () => string; readonly stop: () => void };

const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'payfork-shop-'));

/** A shop's own folder, with the client as it is compiled, and these packages of this project. */
export async function aShop(...packages: readonly string[]): Promise<Shop> {
  const folder = emptyFolder();
  const installed = join(folder, 'node_modules/payfork');
  mkdirSync(installed, { recursive: true });
  cpSync(`${PACKAGE}/package.json`, join(installed, 'package.json'));
  await run(TSC, ['-p', PACKAGE, '--outDir', join(installed, 'dist')]);
  for (const name of packages) symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  return shopAt(folder);
}

/** An empty project that has installed what `npm pack` makes of the client. Nothing asks a registry. */
export async function packedShop(): Promise<Shop & { readonly files: readonly string[]; readonly bytes: number }> {
  const folder = emptyFolder();
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: PACKAGE });
  // What its scripts print stands before that.
  const packed = JSON.parse(stdout.slice(stdout.search(/^[[{]/m)));
  const [{ filename, files, size }] = Array.isArray(packed) ? packed : Object.values(packed);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], { cwd: folder });
  return { ...shopAt(folder), files: files.map(({ path }: { readonly path: string }) => path), bytes: size };
}

const shopAt = (folder: string): Shop => ({
  folder,
  typeErrors: async (files, ...options) => {
    const checked = await run(TSC, [...STRICT, ...options, ...files], { cwd: folder }).catch((error) => error);
    return checked.stdout;
  },
  start: (file, env) => startServer(join(folder, file), env),
  remove: () => rmSync(folder, { recursive: true, force: true }),
});

/** Every Node.js of this machine that the package allows, the oldest first. */
export function nodesHere(): readonly { readonly path: string; readonly version: string }[] {
  // biome-ignore lint/style/noProcessEnv: only the test run itself knows where programs are.
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = [process.execPath, ...folders.map((folder) => join(folder, 'node'))].filter((path) => existsSync(path));
  const found = new Map(paths.map((path) => [execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(), path]));
  const number = (version: string): number => {
    const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
    return major * 1_000 + minor;
  };
  return [...found]
    .map(([version, path]) => ({ version, path }))
    .filter(({ version }) => number(version) >= 20_003)
    .sort((a, b) => number(a.version) - number(b.version));
}

async function startServer(file: string, env: Readonly<Record<string, string>>): Promise<Server> {
  const child = spawn(process.execPath, [file], { env: { ...env, PORT: String(await fourFreePorts()) } });
  let printed = '';
  return new Promise((started, failed) => {
    const onText = (text: Buffer) => {
      printed += text;
      const [url] = /http:\/\/\S+/.exec(printed) ?? [];
      if (url) started({ url, printed: () => printed, stop: () => void child.kill() });
    };
    child.stdout.on('data', onText);
    child.stderr.on('data', onText);
    child.once('exit', (code) => failed(new Error(`${file} ended with ${code}:\n${printed}`)));
  });
}
