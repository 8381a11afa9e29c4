import { KMSClient } from '@aws-sdk/client-kms';
import { type Bootstrapped, bootstrapOrganization } from '#functions/platform/bootstrap-organization.usecase.ts';
import type { BootstrapOptions } from '#lib/bootstrap/bootstrap-options.ts';
import { inWords } from '#lib/bootstrap/trouble-in-words.ts';
import { repeatable } from '#shared/aws/client-settings.ts';
import { hashSecretFrom } from '#shared/aws/kms-hash-secret.adapter.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import { ApiKeyRepo } from '#shared/store/api-key.repo.ts';
import { dynamoClient } from '#shared/store/dynamo-client.ts';
import { DynamoTable } from '#shared/store/dynamo-table.adapter.ts';
import { OrganizationRepo } from '#shared/store/organization.repo.ts';
import { OwnerRepo } from '#shared/store/owner.repo.ts';

/** On the stage's own table, with its own hash secret, so that its functions find what is made. Credentials and end points are the SDK's to read. */
export async function bootstrapStage(options: BootstrapOptions): Promise<Bootstrapped> {
  const { stage, name, legalName, owner, newKey, hashKey } = options;
  // A stack lies in one region, and its key says in which.
  const region = hashKey.split(':')[3];
  const [kms, client] = [new KMSClient({ ...repeatable, region }), dynamoClient({ region })];
  try {
    const hashSecret = await hashSecretFrom(kms, hashKey);
    const table = new DynamoTable({ client, tableName: options.table });
    const deps = {
      organizations: new OrganizationRepo(table),
      keys: new ApiKeyRepo(table, hashSecret, true),
      owners: new OwnerRepo(table, hashSecret),
      clock: systemClock,
      config: { stage, hashSecret },
    };
    return await bootstrapOrganization({ name, legal_name: legalName, owner, newKey }, deps);
  } catch (error) {
    throw inWords(error, options);
  } finally {
    kms.destroy();
    client.destroy();
  }
}
