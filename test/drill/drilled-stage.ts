import { ALIAS_NAME, resourceNames, STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Drill } from '#test/drill/drill.prepare.ts';
import { environment, ROOT } from '#test/drill/drill.settings.ts';
import { run } from '#test/drill/programs.ts';
import { StageClient } from '#test/drill/stage-client.ts';

export const OWNER = 'owner@example.com';

/** The two stacks of a stage, in the order in which they are deployed. */
export const stacksOf = (stage: Stage): readonly [state: string, service: string] => {
  const service = STACK_NAMES[stage];
  return [resourceNames(service).stateStack, service];
};

/** Deploys a stage's two stacks with a release. The state comes first. */
export async function deployStage({ report, cloud, first }: Drill, stage: Stage, release = first): Promise<void> {
  for (const stack of stacksOf(stage))
    await report.step(`cdk deploy ${stack} (${release.name} release)`, () => cloud.deploy(release, stack));
}

/** Destroys them again. A stack that protects itself is unprotected first, as its owner would do. */
export async function destroyStage(drill: Drill, stage: Stage): Promise<void> {
  for (const stack of stacksOf(stage).toReversed()) await destroyStack(drill, stage, stack);
}

export async function destroyStack({ report, cloud, first }: Drill, stage: Stage, stack: string): Promise<void> {
  await report.step(`cdk destroy ${stack}`, async () => {
    if (stage === 'live')
      await cloud.aws(
        ...['cloudformation', 'update-termination-protection', '--stack-name', stack],
        '--no-enable-termination-protection',
      );
    return cloud.destroy(first, stack);
  });
}

/** The organization with which the stage's own probe works. */
export async function bootstrapProbe(drill: Drill, stage: Stage): Promise<void> {
  const { TableName = '', HashKeyArn = '' } = await drill.cloud.outputs(STACK_NAMES[stage]);
  await drill.report.step(`npm run bootstrap for the probe of ${stage}`, () =>
    run(
      `${ROOT}node_modules/.bin/node`,
      ['bin/bootstrap.ts', '--stage', stage, '--probe', '--table', TableName, '--hash-key', HashKeyArn],
      { cwd: ROOT, env: environment(drill.emulator.url) },
    ),
  );
}

/**
 * The sandbox's probe runs every five minutes, for which the drill does not wait. Only its start is drilled: the emulator
 * does not lead its calls to the stage's own address back to the stage.
 */
export async function startProbe({ report, cloud }: Drill): Promise<void> {
  const name = `${resourceNames(STACK_NAMES.sandbox).function('probe')}:${ALIAS_NAME}`;
  await report.step('the probe starts', () => cloud.aws('lambda', 'invoke', '--function-name', name, '/dev/null'));
}

/** The deployed stage with a key of its first organization, and callbacks that reach it. */
export async function openStage(drill: Drill, stage: Stage, known?: string): Promise<StageClient> {
  const outputs = await drill.cloud.outputs(STACK_NAMES[stage]);
  const { ApiUrl = '', CallbackUrl = '', TableName = '', HashKeyArn = '' } = outputs;
  drill.around.lead(CallbackUrl);
  const key =
    known ??
    (await drill.report.step(`npm run bootstrap for ${stage}`, async () => {
      const flags = ['--stage', stage, '--name', 'Shop', '--legal-name', 'Shop Ltd', '--owner', OWNER, '--new-key'];
      const made = await run(
        `${ROOT}node_modules/.bin/node`,
        ['bin/bootstrap.ts', ...flags, '--table', TableName, '--hash-key', HashKeyArn],
        { cwd: ROOT, env: environment(drill.emulator.url) },
      );
      const found = new RegExp(`sk_${stage}_[A-Za-z0-9]+`).exec(made)?.[0];
      if (found === undefined) throw new Error(`It printed no key: ${made.slice(0, 200)}`);
      return found;
    }));
  return new StageClient(ApiUrl, drill.port, key ?? '', drill.report);
}
