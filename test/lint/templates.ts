import { execFile } from 'node:child_process';
import { globSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { monotonic } from '#shared/kernel/clock.ts';
import { run } from '#test/drill/programs.ts';
import { pythonPackages } from '#test/drill/python.ts';

/** Synthesizes every stack, with the checks of cdk-nag, and lints the templates as CloudFormation reads them. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = `${ROOT}node_modules/.cache/lint`;
/** The regions of whoever deploys differ. This one has every service that is used. */
const REGION = 'eu-central-1';

const started = monotonic();
try {
  mkdirSync(FOLDER, { recursive: true });
  const programs = await pythonPackages(`${FOLDER}/python`, `${ROOT}test/lint/requirements.txt`);
  await run(`${ROOT}node_modules/.bin/cdk`, ['synth', '--quiet', '-o', `${FOLDER}/cdk.out`], {
    cwd: ROOT,
    env: { CDK_DISABLE_CLI_TELEMETRY: 'true' },
    path: `${ROOT}node_modules/.bin`,
  });
  await run(process.execPath, ['test/lint/second-region.app.ts'], {
    cwd: ROOT,
    env: { CDK_OUTDIR: `${FOLDER}/second-region` },
  });
  const templates = globSync(`${FOLDER}/{cdk.out/*,second-region/*-eu-west-1}.template.json`);
  if (templates.length === 0) throw new Error('There is no template.');
  const found = await promisify(execFile)(
    `${programs}/cfn-lint`,
    ['--config-file', `${ROOT}.cfnlintrc.yaml`, '--regions', REGION, '--template', ...templates],
    { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: { stdout?: string; stderr?: string }) => error);
  const said = `${found.stdout ?? ''}${found.stderr ?? ''}`.trim();
  if (said !== '') throw new Error(said);
  const seconds = ((monotonic() - started) / 1_000).toFixed(0);
  process.stdout.write(`${templates.length} templates pass cdk-nag and cfn-lint (${seconds} s).\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
