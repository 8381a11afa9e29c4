import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { eventBridgeBus } from '#shared/adapters/aws/eventbridge-bus.adapter.ts';
import { macSecretsFrom } from '#shared/adapters/aws/kms-hash-secret.adapter.ts';
import { kmsKeyWrapper } from '#shared/adapters/aws/kms-key-wrapper.adapter.ts';
import { sqsQueue } from '#shared/adapters/aws/sqs-queue.adapter.ts';
import { makeWebhookHttp } from '#shared/adapters/net/webhook-https.adapter.ts';
import { makeVault } from '#shared/adapters/vault/envelope-vault.adapter.ts';
import { vaultByPurpose } from '#shared/adapters/vault/vault-by-purpose.adapter.ts';
import type { AwsEnv } from '#shared/aws-env.ts';
import { serviceContainer } from '#shared/container/service.container.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { MailError, type MailPort } from '#shared/ports/mail.port.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import { pspBaseUrls } from '#shared/psp/providers.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';

/** Dependencies that only some functions load: `onAws(make, { makeMail: sesMail })`. */
export type AwsExtras = { readonly makeMail?: (from: string | undefined) => MailPort };

/**
 * The service over AWS. Everything lives as long as the process, connections are kept alive; only the secrets of hashes
 * are fetched, at the first invocation.
 */
export function awsContainer(env: AwsEnv, log: LogPort, { makeMail = noMail }: AwsExtras = {}): () => Promise<Deps> {
  const { stage, apiUrl, otherStageUrl, dashboardUrl, passkeyDomain } = env;
  // Our own pages act with a session, as dashboards do.
  const origins = [...env.origins, new URL(apiUrl).origin];
  const config = {
    stage,
    apiUrl,
    otherStageUrl,
    pagesUrl: apiUrl,
    origins,
    dashboardUrl,
    passkeyDomain,
    platformNeedsSecondFactor: true,
  };
  const kms = new KMSClient(RETRYING);
  const clock = systemClock;
  const queue = sqsQueue({ client: new SQSClient(RETRYING), urls: env.queueUrls });
  const vault = vaultByPurpose({
    psp: makeVault(kmsKeyWrapper({ client: kms, keyId: env.keys.psp })),
    integration: makeVault(kmsKeyWrapper({ client: kms, keyId: env.keys.integration })),
    signing: makeVault(kmsKeyWrapper({ client: kms, keyId: env.keys.signing })),
    answer: makeVault(kmsKeyWrapper({ client: kms, keyId: env.keys.answer })),
    totp: makeVault(kmsKeyWrapper({ client: kms, keyId: env.keys.totp })),
  });
  const parts = {
    table: new DynamoTable({ client: dynamoClient(), tableName: env.tableName }),
    queue,
    bus: eventBridgeBus({ client: new EventBridgeClient(RETRYING), busName: env.busName }),
    vault,
    transport: makePspTransport({ baseUrls: pspBaseUrls(stage) }),
    webhookHttp: makeWebhookHttp({ clock }),
    mail: makeMail(env.mailFrom),
    clock,
    log,
    limited: true,
  };
  // Assigned, not spread: spreading would read secrets that the function does not have.
  return async () =>
    serviceContainer({ ...parts, config: Object.assign(await macSecretsFrom(kms, env.macKeys), config) });
}

/** Only for functions with a mailer: its client would enlarge every other bundle by a fifth. */
const noMail = (): MailPort => ({
  send: () => Promise.reject(new MailError('unavailable', 'This function was started without a mailer.')),
});
