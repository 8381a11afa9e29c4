import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { eventBridgeBus } from '#shared/adapters/aws/eventbridge-bus.adapter.ts';
import { sesMail } from '#shared/adapters/aws/ses-mailer.adapter.ts';
import { sqsQueue } from '#shared/adapters/aws/sqs-queue.adapter.ts';
import { ownApi as ownApiAt } from '#shared/adapters/net/own-api.adapter.ts';
import { makeWebhookHttp } from '#shared/adapters/net/webhook-https.adapter.ts';
import type { AwsBase } from '#shared/container/aws.container.ts';
import type { BusPort } from '#shared/ports/bus.port.ts';
import { MailError, type MailPort } from '#shared/ports/mail.port.ts';
import type { QueuePort } from '#shared/ports/queue.port.ts';

/*
 * What is neither a repository nor a PSP, under its name in `Deps`. A function imports those that it names: the clients
 * of queues, bus and mail are in no other bundle, as a test compares with the function table.
 */
export const queue = ({ env }: AwsBase): QueuePort =>
  sqsQueue({ client: new SQSClient(RETRYING), urls: env.queueUrls });

export const bus = ({ env }: AwsBase): BusPort =>
  eventBridgeBus({ client: new EventBridgeClient(RETRYING), busName: env.busName });

export const mail = ({ env }: AwsBase): MailPort => sesMail(env.mailFrom);

/** For functions that share code with one that sends mail. */
export const noMail = (): MailPort => ({
  send: () => Promise.reject(new MailError('unavailable', 'This function was started without a mailer.')),
});

export const webhookHttp = ({ clock }: AwsBase) => makeWebhookHttp({ clock });

export const ownApi = ({ env }: AwsBase) => ownApiAt(env.apiUrl);
