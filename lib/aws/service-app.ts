import { App, type AppProps } from 'aws-cdk-lib';
import { addChecks } from '#lib/aws/checks.ts';
import { DEPLOYMENT } from '#lib/aws/deployment.ts';
import { FirewallStack } from '#lib/aws/firewall.stack.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { assertOwnNames, closedBefore } from '#lib/aws/regions.ts';
import { ServiceStack, StateStack } from '#lib/aws/service.stack.ts';

/**
 * Every stage of a deployment. Every synthesis runs the checks. An exception is written next to its resource, with its
 * reason.
 */
export function serviceApp(deployment: readonly PayforkSettings[] = DEPLOYMENT, props: AppProps = {}): App {
  assertOwnNames(deployment);
  const app = new App(props);
  const services = new Map<PayforkSettings, ServiceStack>();
  for (const payfork of deployment) {
    if (payfork.front) new FirewallStack(app, payfork);
    const state = new StateStack(app, payfork);
    const service = new ServiceStack(app, payfork);
    // An order of deployment, not a reference: nothing of one template is in the other.
    service.addStackDependency(state, 'finds table, keys, logs and dead letters by name');
    services.set(payfork, service);
  }
  for (const [payfork, service] of services) {
    const closed = services.get(closedBefore(payfork, deployment) ?? payfork);
    if (closed && closed !== service) service.addStackDependency(closed, 'only one region may be open');
  }
  addChecks(app);
  return app;
}
