import type { Context } from 'aws-lambda';
import { cloudWatchLog } from '#shared/adapters/aws/cloudwatch-log.adapter.ts';
import type { Start } from '#shared/container/aws.container.ts';
import { awsEnv } from '#shared/env.ts';

type Serve<E, R> = (event: E, context: Context) => Promise<R>;

/**
 * A function's entry point. The container is built at start, and what needs a call on the first invocation, or on the
 * next one if that fails. `make` says what the function needs: a part that the container lacks does not compile.
 */
export function lambdaHandler<D, E, R>(start: Start<D>, make: (deps: D) => Serve<E, R>): Serve<E, R> {
  const env = awsEnv();
  const log = cloudWatchLog(env);
  const container = start(env, log);
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
