import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Template } from 'aws-cdk-lib/assertions';
import { STAGES } from '#lib/aws/stages.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

// biome-ignore lint/style/noProcessEnv: where compiled code is found is this machine's business.
const { NODE_COMPILE_CACHE } = process.env;

export type Properties = ReturnType<Template['findResources']>[string]['Properties'];
type Resource = {
  readonly Properties: Properties;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
};
type Resources = Readonly<Record<string, Resource>>;

/** What was synthesized for one stage. */
export type Synthesized = {
  readonly stage: Stage;
  readonly template: Template;
  readonly text: string;
  readonly of: (type: string) => Resources;
};

/** What the app leaves behind: both stages, and what the checks said. */
export type Assembly = {
  readonly stages: Readonly<Record<Stage, Synthesized>>;
  readonly read: (file: string) => Promise<string>;
  readonly output: string;
  readonly remove: () => Promise<void>;
};

/**
 * Runs the app as `cdk synth` does, code bundled and rules checked, with nothing in its environment that names an
 * account or a region. Once for all the tests: it is what is deployed that they look at.
 */
export async function synthesize(): Promise<Assembly> {
  const { path, remove } = await temporaryFolder();
  const { context } = JSON.parse(await readFile(`${ROOT}cdk.json`, 'utf8'));
  const env = {
    PATH: '',
    HOME: path('home'),
    CDK_OUTDIR: path('out'),
    CDK_CONTEXT_JSON: JSON.stringify(context),
    NODE_COMPILE_CACHE,
  };
  // A broken rule ends the app with a failure, but leaves templates and report to look at.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['bin/app.ts'], { cwd: ROOT, env }).catch(
    (failure) => failure,
  );
  const read = (file: string) => readFile(path(`out/${file}`), 'utf8');
  const [sandbox, live] = await Promise.all([synthesized('sandbox', read), synthesized('live', read)]);
  return { stages: { sandbox, live }, read, output: stdout + stderr, remove };
}

async function synthesized(stage: Stage, read: (file: string) => Promise<string>): Promise<Synthesized> {
  const text = await read(`${STAGES[stage].stackName}.template.json`);
  const template = Template.fromString(text);
  return { stage, template, text, of: (type) => template.findResources(type) as Resources };
}

/** The logical id behind a `Ref` or `Fn::GetAtt`. */
export const idOf = (reference: Properties): string => reference?.Ref ?? reference?.['Fn::GetAtt']?.[0];

export const listOf = (value: Properties): Properties[] => (Array.isArray(value) ? value : [value]);
