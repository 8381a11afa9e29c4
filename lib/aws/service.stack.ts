import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Payfork } from '#lib/aws/constructs/payfork.construct.ts';
import { PayforkState } from '#lib/aws/constructs/payfork-state.construct.ts';
import { checkSettings, type PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { resourceNames } from '#lib/aws/stack-names.ts';
import { STAGES } from '#lib/aws/stages.ts';

/** CDK leaves this id out of logical ids, which are then the same as without the construct around them. */
const WHOLE_STACK = 'Default';

/** What must survive the service: deployed first, and seldom changed. */
export class StateStack extends Stack {
  constructor(scope: Construct, payfork: PayforkSettings) {
    const { stateStack } = resourceNames(payfork.name);
    super(scope, stackId(stateStack, payfork), { ...stackProps(payfork, 'state'), stackName: stateStack });
    tagResources(this, payfork);
    new PayforkState(this, WHOLE_STACK, payfork);
  }
}

/** The service. It holds nothing that must survive. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, payfork: PayforkSettings) {
    super(scope, stackId(payfork.name, payfork), { ...stackProps(payfork, 'service'), stackName: payfork.name });
    tagResources(this, payfork);
    const { outputs } = new Payfork(this, WHOLE_STACK, payfork);
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

/** What `cdk deploy` is told. In two regions a stack has the same name, as everything in it has, but not the same id. */
const stackId = (stackName: string, { standby, env }: Pick<PayforkSettings, 'standby' | 'env'>): string =>
  standby && env ? `${stackName}-${env.region}` : stackName;

/** Checked here too: an invalid name or account would fail in CDK first, with an error that names no setting. */
function stackProps(payfork: PayforkSettings, part: 'state' | 'service'): StackProps {
  checkSettings(payfork);
  return {
    description: `payfork, ${payfork.stage}, ${part}`,
    terminationProtection: STAGES[payfork.stage].keepsData,
    tags: tagsOf(payfork),
    ...(payfork.env && { env: payfork.env }),
  };
}

const tagsOf = ({ stage }: PayforkSettings) => ({ service: 'payfork', stage });

/** The tags of a stack reach resources only when it is deployed. In the template a test can see them. */
function tagResources(stack: Stack, payfork: PayforkSettings): void {
  for (const [name, value] of Object.entries(tagsOf(payfork))) Tags.of(stack).add(name, value);
}
