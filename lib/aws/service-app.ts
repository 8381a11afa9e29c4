import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ServiceStack } from '#lib/aws/service.stack.ts';

/** Both stages. Every synthesis is checked; an exception stands beside what it excuses, with its reason. */
export function serviceApp(props: AppProps = {}): App {
  const app = new App(props);
  for (const stage of ['sandbox', 'live'] as const) new ServiceStack(app, stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}
