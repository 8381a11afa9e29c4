import { macSecrets } from '#shared/adapters/aws/mac-secrets.ts';
import type { AwsEnv } from '#shared/aws-env.ts';
import { type Built, build, type Parts } from '#shared/container/parts.ts';
import { type Start, settingsOf } from '#shared/container/stateless.container.ts';
import type { StoreBase } from '#shared/container/store-parts.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import type { Deps, MacSecrets } from '#shared/ports/deps.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';

/** What every function on AWS has, whatever parts it names. */
export type AwsBase = StoreBase & Pick<Deps, 'clock' | 'log' | 'config'> & { readonly env: AwsEnv };

/**
 * The named parts over AWS. Everything lives as long as the process, connections are kept alive. Without secrets of
 * hashes: reading one throws.
 */
export const awsContainer =
  <P extends Parts<AwsBase>>(parts: P): Start<Common & Built<P>> =>
  (env, log) => {
    const base = awsBase(env, log, awsTable(env, log), macSecrets({}));
    const { clock, config } = base;
    const deps = { clock, log, config, ...build(parts, base) };
    return () => Promise.resolve(deps);
  };

type Common = Pick<AwsBase, 'clock' | 'log' | 'config'>;

export const awsTable = ({ tableName }: AwsEnv, log: LogPort): DynamoTable =>
  new DynamoTable({ client: dynamoClient(), tableName, log });

export const awsBase = (env: AwsEnv, log: LogPort, table: DynamoTable, secrets: MacSecrets): AwsBase => ({
  env,
  log,
  table,
  clock: systemClock,
  limited: true,
  // Assigned, not spread: spreading would read secrets that the function does not have.
  config: Object.assign(secrets, settingsOf(env)),
});
