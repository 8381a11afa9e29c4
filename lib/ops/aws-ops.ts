import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import { resourceNames, STACK_NAMES } from '#lib/aws/stack-names.ts';
import { awsDeadLetters } from '#lib/ops/aws-dead-letters.ts';
import { explainAwsError } from '#lib/ops/aws-errors.ts';
import { opsDeps } from '#lib/ops/ops-deps.ts';
import type { OpsHost } from '#lib/ops/ops-host.ts';
import type { OpsTarget } from '#lib/ops/ops-options.ts';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { macSecretsFrom } from '#shared/adapters/aws/kms-hash-secret.adapter.ts';
import { jsonLog } from '#shared/adapters/local/json-log.adapter.ts';
import { kmsVault } from '#shared/container/kms.container.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import type { HashVersions } from '#shared/kernel/hash-versions.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import { providerOf } from '#shared/psp/providers.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';

type AwsTarget = Extract<OpsTarget, { kind: 'aws' }>;

/**
 * A stage on AWS, by the names of its resources. The SDK reads credentials and endpoints from the environment. Opening
 * the credentials of connections needs the role that the setting `operators` makes; everything else the right to use
 * the table, its dead letters and the key of hashes.
 */
export async function openAwsOps(target: AwsTarget, hashVersions: HashVersions): Promise<OpsHost> {
  const { name, stage, region, table: restored } = target;
  assertOwnStage(target);
  const names = resourceNames(name);
  const where = region === undefined ? {} : { region };
  const [kms, sqs, client] = [
    new KMSClient({ ...RETRYING, ...where }),
    new SQSClient({ ...RETRYING, ...where }),
    dynamoClient(where),
  ];
  const close = async () => {
    for (const each of [kms, sqs, client]) each.destroy();
  };
  try {
    const log = jsonLog(process.stderr, systemClock);
    const table = new DynamoTable({ client, tableName: restored ?? names.table, log });
    const hashKey = { arn: names.keyAlias('hashSecret'), versions: hashVersions };
    const deps = opsDeps({
      table,
      clock: systemClock,
      stage,
      log,
      secrets: await macSecretsFrom(kms, { hashSecret: hashKey }),
      vault: kmsVault(kms, { keys: { psp: names.keyAlias('psp'), secrets: names.keyAlias('secrets') } }),
      transport: makePspTransport({ baseUrls: (provider) => providerOf(provider)?.baseUrls[stage] }),
    });
    return { deps, table, deadLetters: awsDeadLetters(sqs, names), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A name may stand for a cell or a branch, but never for the other stage. */
function assertOwnStage({ name, stage, table }: AwsTarget): void {
  const other = stage === 'live' ? STACK_NAMES.sandbox : STACK_NAMES.live;
  if (name === other || table?.startsWith(`${other}-`))
    throw new Error(`${table ?? name} is of the other stage, not of ${stage}.`);
}

/** What became of a command's call to AWS, with its remedy. */
export const explainOpsError = (error: unknown, { name, table }: AwsTarget): unknown =>
  explainAwsError(error, {
    table: table ?? resourceNames(name).table,
    hashKey: resourceNames(name).keyAlias('hashSecret'),
    where: `in the account and region of these credentials. Is ${name} deployed there?`,
    region: 'the region: AWS_REGION, or --region',
    permissions:
      `These credentials may not do this. ${error instanceof Error ? error.message : ''} ` +
      'The role for operators may do all that a command needs: docs/recovery.md.',
  });
