import type { AwsEnv } from '#shared/aws-env.ts';
import { type Clock, systemClock } from '#shared/kernel/clock.ts';
import type { MacSecrets, ServiceConfig } from '#shared/ports/deps.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

/** Starts a container: at once what needs no call, and the rest when it is asked for dependencies. */
export type Start<D> = (env: AwsEnv, log: LogPort) => () => Promise<D>;

/** Settings without any secret. */
type Settings = Omit<ServiceConfig, keyof MacSecrets>;

export type StatelessDeps = {
  readonly clock: Clock;
  readonly log: LogPort;
  readonly config: Settings;
};

/** What a function has that uses neither the table nor a secret. No client of AWS is bundled with it. */
export const statelessContainer: Start<StatelessDeps> = (env, log) => {
  const deps = { clock: systemClock, log, config: settingsOf(env) };
  return () => Promise.resolve(deps);
};

export function settingsOf(env: AwsEnv) {
  const {
    stage,
    version,
    apiUrl,
    otherStageUrl,
    dashboardUrl,
    passkeyDomain,
    origins,
    originSecrets,
    takesDirectRequests,
  } = env;
  return {
    stage,
    version,
    apiUrl,
    otherStageUrl,
    pagesUrl: apiUrl,
    // Our own pages act with a session, as dashboards do.
    origins: [...origins, new URL(apiUrl).origin],
    dashboardUrl,
    passkeyDomain,
    originSecrets,
    takesDirectRequests,
    platformNeedsSecondFactor: true,
  } satisfies Settings;
}
