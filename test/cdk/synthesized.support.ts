import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Template } from 'aws-cdk-lib/assertions';
import { resourceNames, STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

// biome-ignore lint/style/noProcessEnv: where compiled code is found is this machine's business.
const { NODE_COMPILE_CACHE } = process.env;

export type Properties = ReturnType<Template['findResources']>[string]['Properties'];
type Resource = {
  readonly Properties: Properties;
  readonly Type: string;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
};
type Resources = Readonly<Record<string, Resource>>;

/** The template of one stack. */
export type SynthesizedStack = {
  readonly name: string;
  readonly template: Template;
  readonly text: string;
  readonly resources: Resources;
  readonly of: (type: string) => Resources;
};

/** What was synthesized for one stage: its service stack, and beside it the stack of its state. */
export type Synthesized = SynthesizedStack & { readonly stage: Stage; readonly state: SynthesizedStack };

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
  const { [stage]: name } = STACK_NAMES;
  const { stateStack } = resourceNames(name);
  const [service, state] = await Promise.all(
    [name, stateStack].map(async (each) =>
      synthesizedStack(each, Template.fromString(await read(`${each}.template.json`))),
    ),
  );
  if (!service || !state) throw new Error(`${name} was not synthesized.`);
  return { ...service, stage, state };
}

export const synthesizedStack = (name: string, template: Template): SynthesizedStack => ({
  name,
  template,
  text: JSON.stringify(template.toJSON()),
  resources: template.toJSON().Resources,
  of: (type) => template.findResources(type) as Resources,
});

/** A text of the template, with what CloudFormation fills in written as `<logical id>` or `<AWS::Region>`. */
export function textOf(value: Properties): string {
  if (typeof value === 'string') return value;
  if (value?.['Fn::Join']) return value['Fn::Join'][1].map(textOf).join(value['Fn::Join'][0]);
  return `<${idOf(value)}>`;
}

/** What the state stack has for a parameter of the service stack: the logical id that the written value refers to. */
export function parameterTarget(stack: Synthesized, reference: Properties): string | undefined {
  const path = stack.template.toJSON().Parameters[idOf(reference)]?.Default;
  const written = Object.values(stack.state.of('AWS::SSM::Parameter')).find(({ Properties: p }) => p.Name === path);
  return written && idOf(written.Properties.Value);
}

/** The logical id behind a `Ref` or `Fn::GetAtt`. */
export const idOf = (reference: Properties): string => reference?.Ref ?? reference?.['Fn::GetAtt']?.[0];

export const listOf = (value: Properties): Properties[] => (Array.isArray(value) ? value : [value]);
