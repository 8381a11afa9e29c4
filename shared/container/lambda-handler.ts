import type { Context } from 'aws-lambda';
import { powertoolsLog } from '#shared/adapters/aws/powertools-log.adapter.ts';
import { type AwsExtras, awsContainer } from '#shared/container/aws.container.ts';
import { awsEnv } from '#shared/env.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Serve<E, R> = (event: E, context: Context) => Promise<R>;

/**
 * A function's entry point. The container is built at start, and what needs a call on the first invocation, or on the
 * next one if that fails.
 */
export function lambdaHandler<E, R>(make: (deps: Deps) => Serve<E, R>, extras: AwsExtras = {}): Serve<E, R> {
  const env = awsEnv();
  const log = powertoolsLog(env);
  const container = awsContainer(env, log, extras);
  let serving: Promise<Serve<E, R>> | undefined;
  return async (event, context) => {
    log.begin(context);
    serving ??= container().then(make);
    const serve = await serving.catch((error: unknown) => {
      serving = undefined;
      throw error;
    });
    return serve(event, context);
  };
}
