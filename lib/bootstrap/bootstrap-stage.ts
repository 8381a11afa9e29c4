import { KMSClient } from '@aws-sdk/client-kms';
import type { Bootstrapped } from '#functions/platform/bootstrap-organization.usecase.ts';
import { bootstrapIn } from '#lib/bootstrap/bootstrap-in.ts';
import type { BootstrapOptions } from '#lib/bootstrap/bootstrap-options.ts';
import { inWords } from '#lib/bootstrap/trouble-in-words.ts';
import { repeatable } from '#shared/aws/client-settings.ts';
import { hashSecretFrom } from '#shared/aws/kms-hash-secret.adapter.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import { dynamoClient } from '#shared/store/dynamo-client.ts';
import { DynamoTable } from '#shared/store/dynamo-table.adapter.ts';

/** On the stage's own table, with its own hash secret, so that its functions find what is made. Credentials and end points are the SDK's to read. */
export async function bootstrapStage(options: BootstrapOptions): Promise<Bootstrapped> {
  const { hashKey } = options;
  // A stack lies in one region, and its key says in which.
  const region = hashKey.split(':')[3];
  const [kms, client] = [new KMSClient({ ...repeatable, region }), dynamoClient({ region })];
  try {
    const hashSecret = await hashSecretFrom(kms, hashKey);
    const table = new DynamoTable({ client, tableName: options.table });
    return await bootstrapIn(table, hashSecret, systemClock, options);
  } catch (error) {
    throw inWords(error, options);
  } finally {
    kms.destroy();
    client.destroy();
  }
}
