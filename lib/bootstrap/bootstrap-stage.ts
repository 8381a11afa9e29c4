import { KMSClient } from '@aws-sdk/client-kms';
import type { Bootstrapped } from '#functions/platform/bootstrap-organization.usecase.ts';
import { bootstrapIn } from '#lib/bootstrap/bootstrap-in.ts';
import type { BootstrapOptions } from '#lib/bootstrap/bootstrap-options.ts';
import { inWords } from '#lib/bootstrap/trouble-in-words.ts';
import { repeatable } from '#shared/adapters/aws/client-settings.ts';
import { hashSecretFrom } from '#shared/adapters/aws/kms-hash-secret.adapter.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';

/**
 * Works on the stage's own table with its hash secret, so that its functions find the records. The SDK reads
 * credentials and endpoints itself.
 */
export async function bootstrapStage(options: BootstrapOptions): Promise<Bootstrapped> {
  const { hashKey } = options;
  // A stack is in one region, which its key's ARN names.
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
