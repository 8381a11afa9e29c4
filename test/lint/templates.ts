import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
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
/** Functions have no code, as only templates are looked at: to bundle it takes longer than all the rest. */
const CONTEXT = {
  ...JSON.parse(readFileSync(`${ROOT}cdk.json`, 'utf8')).context,
  'aws:cdk:bundling-stacks': [],
};

const started = monotonic();
try {
  mkdirSync(FOLDER, { recursive: true });
  const programs = await pythonPackages(`${FOLDER}/python`, `${ROOT}test/lint/requirements.txt`);
  const synthesize = (app: string, folder: string) =>
    run(process.execPath, [app], {
      cwd: ROOT,
      env: { CDK_OUTDIR: `${FOLDER}/${folder}`, CDK_CONTEXT_JSON: JSON.stringify(CONTEXT) },
    });
  await synthesize('bin/app.ts', 'cdk.out');
  await synthesize('test/lint/second-region.app.ts', 'second-region');
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
