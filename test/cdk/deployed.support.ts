import { readFileSync } from 'node:fs';
import { App, type AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { ServiceStack, StateStack } from '#lib/aws/service.stack.ts';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import { type Synthesized, type SynthesizedStack, synthesizedStack } from '#test/cdk/synthesized.support.ts';

/** The settings of CDK that every deployment has. */
export const CDK_CONTEXT: Readonly<Record<string, unknown>> = JSON.parse(readFileSync('cdk.json', 'utf8')).context;

/**
 * Templates of these apps are not checked against the rules of CloudFormation, which takes longer than all the rest:
 * `every-setting.test.ts` has that done with every setting, and the lint with the templates that are deployed.
 */
const UNCHECKED: AppProps = { builtinCloudFormationValidation: false };

/** An app for a few constructs, without our settings of CDK. */
export const bareApp = (): App => new App(UNCHECKED);

/** An app whose functions have no code, which takes seconds to bundle. */
export const appWithoutCode = (): App =>
  new App({ ...UNCHECKED, context: { ...CDK_CONTEXT, 'aws:cdk:bundling-stacks': [] } });

/** Of live, unless they say otherwise. With a sender and subscribers, as synth warns of a stage without. */
const stageWith = (settings: Partial<PayforkSettings>): PayforkSettings => ({
  name: STACK_NAMES.live,
  stage: 'live',
  mail: { from: 'pay@example.com' },
  alarms: { page: ['ops@example.com'], look: ['ops@example.com'] },
  ...settings,
});

/** Both stacks of a stage with these settings, without the code of its functions. */
export function deployed(settings: Partial<PayforkSettings>): Synthesized & { readonly stack: ServiceStack } {
  const payfork = stageWith(settings);
  const app = appWithoutCode();
  const state = new StateStack(app, payfork);
  const stack = new ServiceStack(app, payfork);
  return {
    ...synthesizedStack(stack.stackName, Template.fromStack(stack)),
    stage: payfork.stage,
    state: synthesizedStack(state.stackName, Template.fromStack(state)),
    stack,
  };
}

/** Only the stack that holds data, which is made much faster. */
export function deployedState(settings: Partial<PayforkSettings>): SynthesizedStack {
  const state = new StateStack(appWithoutCode(), stageWith(settings));
  return synthesizedStack(state.stackName, Template.fromStack(state));
}
