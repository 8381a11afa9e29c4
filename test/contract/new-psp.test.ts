import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  'bin',
  'client',
  'functions',
  'lib',
  'shared',
  'test',
  '.gitignore',
  'biome.json',
  'openapi-dashboard.json',
  'openapi.json',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];

type Ran = { readonly code: number; readonly out: string };

/** In a copy of the project, so that no files are left behind. */
describe('npm run new-psp -- acme', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let before: Readonly<Record<string, string>>;

  const run = async (...args: readonly string[]): Promise<Ran> => {
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
        cwd: folder.path(''),
        maxBuffer: 64_000_000,
      });
      return { code: 0, out: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout + stderr };
    }
  };
  /** Not of the packages, which are linked: reading their tens of thousands of files would take most of the time. */
  const filesNow = (): Readonly<Record<string, string>> => {
    const tops = readdirSync(folder.path('')).filter((name) => name !== 'node_modules');
    const all = tops.flatMap((top) =>
      statSync(folder.path(top)).isFile()
        ? [top]
        : readdirSync(folder.path(top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
    );
    const files = all.filter((name) => statSync(folder.path(name)).isFile());
    return Object.fromEntries(files.map((name) => [name, readFileSync(folder.path(name), 'utf8')]));
  };
  type Report = {
    readonly numTotalTests: number;
    readonly numFailedTests: number;
    readonly numPassedTests: number;
    readonly testResults: readonly { readonly assertionResults: readonly { title: string; status: string }[] }[];
  };
  const runContract = async (
    report: string,
    ...only: readonly string[]
  ): Promise<Ran & { readonly report: Report }> => {
    const how = ['--reporter=json', `--outputFile=${report}`, ...only];
    const ran = await run('node_modules/vitest/vitest.mjs', 'run', 'test/contract/acme-adapter.test.ts', ...how);
    return { ...ran, report: JSON.parse(readFileSync(folder.path(report), 'utf8')) };
  };
  const REUSABLE = 'accepts only reusable tokens';

  beforeAll(async () => {
    folder = await temporaryFolder();
    for (const name of COPIED) cpSync(join(ROOT, name), folder.path(name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), folder.path('node_modules'));
    before = filesNow();
    expect(await run('bin/new-psp.ts', 'acme')).toMatchObject({
      code: 0,
      out: expect.stringContaining('shared/psp/acme/adapter.ts'),
    });
  }, 60_000);
  afterAll(() => folder?.remove());

  it('creates its files and adds an import and an entry to the registry', () => {
    const after = filesNow();
    const made = Object.keys(after).filter((name) => before[name] === undefined);
    expect(made.sort()).toEqual([
      'lib/simulators/acme/server.ts',
      'shared/psp/acme/adapter.ts',
      'shared/psp/acme/capabilities.ts',
      'shared/psp/acme/credentials.schema.ts',
      'shared/psp/acme/facts.ts',
      'shared/psp/acme/webhooks.ts',
      'test/contract/acme-adapter.test.ts',
      'test/providers/acme.test.ts',
    ]);
    expect(Object.keys(after).filter((name) => before[name] !== undefined && before[name] !== after[name])).toEqual([
      'shared/psp/registry.ts',
    ]);
    const lines = (text = '') => text.split('\n');
    const known = lines(before['shared/psp/registry.ts']);
    expect(lines(after['shared/psp/registry.ts']).filter((line) => !known.includes(line))).toEqual([
      "import { acmeFacts } from '#shared/psp/acme/facts.ts';",
      "export const acme = lazyPsp(acmeFacts, () => import('#shared/psp/acme/adapter.ts'));",
    ]);
  });

  it('creates files that pass the type check and the linter', async () => {
    expect(await run('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded')).toEqual({ code: 0, out: '' });
    expect(
      await run(
        'node_modules/@biomejs/biome/bin/biome',
        'check',
        'shared/psp',
        'lib/simulators/acme',
        'test/contract',
        'test/providers',
      ),
    ).toMatchObject({
      code: 0,
    });
  }, 300_000);

  it('creates a contract suite that runs, and fails where code is missing', async () => {
    const { code, report } = await runContract('report.json');
    expect(code).toBe(1);
    expect(report.numTotalTests).toBeGreaterThan(100);
    expect(report.numFailedTests).toBeGreaterThan(50);
    expect(report.numPassedTests).toBeGreaterThan(0);
    expect(readFileSync(folder.path('report.json'), 'utf8')).toContain('acme: create is not written yet.');
    const reusable = report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ title }) => title.includes(REUSABLE));
    expect(reusable.map(({ status }) => status)).toEqual(['passed']);
  }, 300_000);

  it('requires a reusable token as soon as the provider supports off-session charges', async () => {
    const capabilities = folder.path('shared/psp/acme/capabilities.ts');
    const made = readFileSync(capabilities, 'utf8');
    writeFileSync(capabilities, made.replace('off_session: false', 'off_session: true'));
    const { numFailedTests, numPassedTests } = (await runContract('saved.json', '-t', REUSABLE)).report;
    expect([numFailedTests, numPassedTests]).toEqual([1, 0]);
    writeFileSync(capabilities, made);
  }, 300_000);

  it.each(['acme', 'stripe', 'Acme', '../evil', ''])('rejects the name %j and changes nothing', async (name) => {
    const files = filesNow();
    expect((await run('bin/new-psp.ts', name)).code).toBe(1);
    expect(filesNow()).toEqual(files);
  });
});
