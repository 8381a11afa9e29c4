import { App, type AppProps } from 'aws-cdk-lib';
import { addChecks } from '#lib/aws/checks.ts';
import { DEPLOYMENT } from '#lib/aws/deployment.ts';
import { FirewallStack } from '#lib/aws/firewall.stack.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { ServiceStack, StateStack } from '#lib/aws/service.stack.ts';
import { resourceNames } from '#lib/aws/stack-names.ts';

/**
 * Every stage of a deployment. Every synthesis runs the checks. An exception is written next to its resource, with its
 * reason.
 */
export function serviceApp(deployment: readonly PayforkSettings[] = DEPLOYMENT, props: AppProps = {}): App {
  assertOwnNames(deployment);
  const app = new App(props);
  for (const payfork of deployment) {
    if (payfork.front) new FirewallStack(app, payfork);
    const state = new StateStack(app, payfork);
    // An order of deployment, not a reference: nothing of one template is in the other.
    new ServiceStack(app, payfork).addStackDependency(state, 'finds table, keys, logs and dead letters by name');
  }
  addChecks(app);
  return app;
}

/** CDK would say it of a construct, and not which line of the deployment is meant. */
function assertOwnNames(deployment: readonly PayforkSettings[]): void {
  const names = deployment.flatMap(({ name }) => [name, resourceNames(name).stateStack]);
  const twice = names.find((name, n) => names.indexOf(name) < n);
  if (twice) throw new Error(`Two stacks are called ${twice}. Give each stage of the deployment a name of its own.`);
}
