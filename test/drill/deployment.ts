import { globSync, mkdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { ACCOUNT, environment, FOLDER, REGION, ROOT } from '#test/drill/drill.settings.ts';
import type { Regions } from '#test/drill/drill.stages.ts';
import { run } from '#test/drill/programs.ts';

/** What a release needs to be synthesized. */
const SOURCES = [
  'bin',
  'client',
  'docs',
  'functions',
  'lib',
  'shared',
  'test',
  'package.json',
  'package-lock.json',
  'CHANGELOG.md',
  'cdk.json',
  'openapi.json',
  'openapi-dashboard.json',
  'tsconfig.json',
];

/** An assembly of a release: `cdk.out`. */
export type Release = { readonly name: string; readonly assembly: string };

export type Account = {
  readonly bootstrap: (region?: string) => Promise<string>;
  readonly deploy: (release: Release, ...stacks: readonly string[]) => Promise<string>;
  readonly destroy: (release: Release, ...stacks: readonly string[]) => Promise<string>;
  readonly outputs: (stack: string, region?: string) => Promise<Readonly<Record<string, string>>>;
  /** Everything in it, as `kind name`. Keys that wait for their deletion are not listed. */
  readonly inventory: () => Promise<ReadonlySet<string>>;
  /** A script of the drill that uses botocore. */
  readonly script: (name: string, ...args: readonly string[]) => Promise<string>;
  readonly aws: (...args: readonly string[]) => Promise<unknown>;
};

type Stacks = {
  readonly Stacks: readonly {
    readonly Outputs?: readonly { readonly OutputKey: string; readonly OutputValue: string }[];
  }[];
};

const outputsOf = ({ Stacks: [stack] }: Stacks): Readonly<Record<string, string>> =>
  Object.fromEntries((stack?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));

/** Only the stacks that are named, although a service needs its state: each is a step of its own. */
const ONE_BY_ONE = ['--exclusively'];

/** An account of the emulator, used as anybody uses a real one: with `cdk`, its bootstrap roles, and `aws`. */
export function account(emulator: string, programs: string, python: string): Account {
  // A folder without a cdk.json: nothing is synthesized but what is named.
  const where = {
    cwd: FOLDER,
    env: environment(emulator),
    path: [`${ROOT}node_modules/.bin`, programs, python].join(':'),
  };
  const cdk = (...args: readonly string[]) => run('cdk', args, where);
  const script = (name: string, ...args: readonly string[]) =>
    run('python', [`${ROOT}test/drill/${name}`, ...args], where);
  const aws = async (...args: readonly string[]) => {
    const text = await run('aws', [...args, '--output', 'json'], where);
    return text.trim() === '' ? undefined : JSON.parse(text);
  };
  return {
    bootstrap: (region = REGION) => cdk('bootstrap', `aws://${ACCOUNT}/${region}`),
    deploy: ({ assembly }, ...stacks) =>
      cdk('deploy', ...stacks, '--app', assembly, '--require-approval', 'never', ...ONE_BY_ONE),
    destroy: ({ assembly }, ...stacks) => cdk('destroy', ...stacks, '--app', assembly, '--force', ...ONE_BY_ONE),
    outputs: async (stack, region = REGION) =>
      outputsOf((await aws('cloudformation', 'describe-stacks', '--stack-name', stack, '--region', region)) as Stacks),
    inventory: async () => new Set(JSON.parse(await script('inventory.py')) as string[]),
    script,
    aws,
  };
}

/** This release, with the settings of the drill. */
export async function synthesize(name: string, root = ROOT, regions?: Regions): Promise<Release> {
  const assembly = `${FOLDER}/${name}`;
  await rm(assembly, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const context = JSON.parse(await readFile(`${root}cdk.json`, 'utf8')).context;
  const settings = regions === undefined ? [] : [JSON.stringify(regions)];
  await run(`${ROOT}node_modules/.bin/node`, ['test/drill/drill.app.ts', ...settings], {
    cwd: root,
    env: { CDK_OUTDIR: assembly, CDK_CONTEXT_JSON: JSON.stringify(context) },
  });
  return { name, assembly };
}

/** The next release: the same sources in a folder of their own, with other code in every function. */
export async function synthesizeNext(): Promise<Release> {
  // Node.js runs no TypeScript below a folder called node_modules.
  const root = `${await mkdtemp(`${tmpdir()}/payfork-next-`)}/`;
  for (const each of SOURCES) await cp(`${ROOT}${each}`, `${root}${each}`, { recursive: true });
  await symlink(`${ROOT}node_modules`, `${root}node_modules`);
  for (const file of globSync('functions/*/*.lambda.ts', { cwd: root }))
    await writeFile(`${root}${file}`, "\nObject.assign(globalThis, { release: 'next' });\n", { flag: 'a' });
  return synthesize('next', root).finally(() => rm(root, { recursive: true }));
}
