import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { ServiceStack, StateStack } from '#lib/aws/service.stack.ts';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import { type Synthesized, type SynthesizedStack, synthesizedStack } from '#test/cdk/synthesized.support.ts';

/** The settings of CDK that every deployment has. */
export const CDK_CONTEXT: Readonly<Record<string, unknown>> = JSON.parse(readFileSync('cdk.json', 'utf8')).context;

/** An app whose functions have no code, which takes seconds to bundle. */
export const appWithoutCode = (): App => new App({ context: { ...CDK_CONTEXT, 'aws:cdk:bundling-stacks': [] } });

/** Of live, unless they say otherwise. With a sender, as synth warns of a stage that sends no mail. */
const stageWith = (settings: Partial<PayforkSettings>): PayforkSettings => ({
  name: STACK_NAMES.live,
  stage: 'live',
  mail: { from: 'pay@example.com' },
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
