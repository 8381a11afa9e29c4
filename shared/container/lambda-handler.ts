import type { Context } from 'aws-lambda';
import { cloudWatchLog } from '#shared/adapters/aws/cloudwatch-log.adapter.ts';
import { recordCalls } from '#shared/adapters/net/call-spans.ts';
import type { AwsEnv } from '#shared/aws-env.ts';
import type { Start } from '#shared/container/stateless.container.ts';
import { awsEnv } from '#shared/env.ts';
import { monotonic } from '#shared/kernel/clock.ts';
import { currentWork, inRun } from '#shared/kernel/operation.ts';
import { SLOW_MS, type Span, type SpanMode, spanFields } from '#shared/kernel/spans.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

type Serve<E, R> = (event: E, context: Context) => Promise<R>;

/**
 * A function's entry point. The container is built at start, and what needs a call on the first invocation, or on the
 * next one if that fails. `make` says what the function needs: a part that the container lacks does not compile. It also
 * gets the settings.
 */
export function lambdaHandler<D, E, R>(start: Start<D>, make: (deps: D, env: AwsEnv) => Serve<E, R>): Serve<E, R> {
  const env = awsEnv();
  const log = cloudWatchLog(env);
  if (env.traces !== 'off') recordCalls();
  const container = start(env, log);
  let serving: Promise<Serve<E, R>> | undefined;
  return async (event, context) => {
    log.begin(context);
    serving ??= container().then((deps) => make(deps, env));
    const serve = await serving.catch((error: unknown) => {
      serving = undefined;
      throw error;
    });
    return inRun(() => withSpans(env.traces, log, () => serve(event, context))).finally(log.end);
  };
}

/** Writes the spans of an invocation when it has ended and it is known whether they are worth it. */
async function withSpans<R>(mode: SpanMode, log: LogPort, work: () => Promise<R>): Promise<R> {
  const outer = currentWork.getStore();
  if (mode === 'off' || !outer) return work();
  const [spans, began]: readonly [Span[], number] = [[], monotonic()];
  let isTelling = true;
  try {
    const result = await currentWork.run({ ...outer, spans }, work);
    isTelling = hasFailed(result, monotonic() - began);
    return result;
  } finally {
    for (const span of spans) if (isTelling || (mode === 'sampled' && span.sampled)) log.info('span', spanFields(span));
  }
}

/** Only a request may be slow: nobody waits for a sweep. A batch reports the messages that failed. */
function hasFailed(result: unknown, ms: number): boolean {
  const { statusCode, batchItemFailures = [] } = Object(result) as {
    readonly statusCode?: number;
    readonly batchItemFailures?: readonly unknown[];
  };
  return batchItemFailures.length > 0 || (statusCode !== undefined && (statusCode >= 500 || ms > SLOW_MS));
}
