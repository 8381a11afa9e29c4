import * as z from 'zod';
import { STAGE_NAMES, type Stage } from '#shared/domain/reference/stage.model.ts';
import type { MacSecretName } from '#shared/ports/deps.ts';
import { QUEUES, type QueueName } from '#shared/ports/queue.port.ts';
import type { SealingKey } from '#shared/ports/vault.port.ts';

const KeyArn = z.string('must be the ARN of a KMS key.').regex(/^arn:aws[\w-]*:kms:/, 'must be the ARN of a KMS key.');
const Queue = z.url('must be the address of a queue.');

/** Dashboards' origins, comma-separated. */
const Origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^https:\/\/[a-z0-9.-]+(:\d+)?$/,
          'must be origins, such as https://dashboard.example.com, with commas between them.',
        ),
    ),
  );

const Aws = z.object({
  STAGE: z.enum(STAGE_NAMES, 'must be sandbox or live.'),
  API_URL: z.url('must be the address of the API.'),
  OTHER_STAGE_URL: z.string('must say where the other stage is.').min(1, 'must say where the other stage is.'),
  TABLE_NAME: z.string('must name the table.').min(1, 'must name the table.'),
  ORIGINS: Origins.default([]),
  DASHBOARD_URL: z.url('must be the address of the dashboard.').optional(),
  PASSKEY_DOMAIN: z.string().min(1, 'must be the domain that passkeys are made for.').optional(),
  MAIL_FROM: z.email('must be the address that mail comes from.').optional(),
  BUS_NAME: z.string('must name the event bus.').min(1, 'must name the event bus.'),
  PSP_KEY_ARN: KeyArn,
  INTEGRATION_KEY_ARN: KeyArn,
  SIGNING_KEY_ARN: KeyArn,
  ANSWER_KEY_ARN: KeyArn,
  TOTP_KEY_ARN: KeyArn,
  HASH_KEY_ARN: KeyArn.optional(),
  TOKEN_KEY_ARN: KeyArn.optional(),
  RECOVERY_KEY_ARN: KeyArn.optional(),
});

export type AwsEnv = {
  readonly stage: Stage;
  readonly apiUrl: string;
  readonly otherStageUrl: string;
  readonly tableName: string;
  readonly busName: string;
  /** Dashboards' origins, and where a user lands after signing in. */
  readonly origins: readonly string[];
  readonly dashboardUrl: string | undefined;
  readonly passkeyDomain: string;
  /** Set only for functions that send mail. */
  readonly mailFrom: string | undefined;
  /** KMS keys, one for each kind of sealed secret. */
  readonly keys: Readonly<Record<SealingKey, string>>;
  /** KMS keys that make the secrets of hashes: only those that this function may use. */
  readonly macKeys: Readonly<Partial<Record<MacSecretName, string>>>;
  readonly queueUrls: Readonly<Record<QueueName, string>>;
};

export type Variables = Readonly<Record<string, string | undefined>>;

/** The variable of a queue's address: `QUEUE_URL_WEBHOOK_DELIVERY`. */
export const queueVariable = (queue: QueueName): string => `QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`;

/**
 * The settings that the stack gives each function; the SDK reads region, credentials and endpoints itself. Throws one
 * error that names every invalid variable.
 */
export function readAwsEnv(variables: Variables): AwsEnv {
  const read = Aws.safeParse(variables);
  const urls = QUEUES.map((queue) => ({
    queue,
    name: queueVariable(queue),
    url: Queue.safeParse(variables[queueVariable(queue)]),
  }));
  const faults = [
    ...(read.error?.issues.map(({ path, message }) => `${path[0]?.toString() ?? ''} ${message}`) ?? []),
    ...urls.flatMap(({ name, url }) => url.error?.issues.map(({ message }) => `${name} ${message}`) ?? []),
  ];
  if (!read.success || faults.length > 0) throw new Error(faults.join('\n'));
  const {
    STAGE: stage,
    API_URL: apiUrl,
    OTHER_STAGE_URL: otherStageUrl,
    TABLE_NAME: tableName,
    BUS_NAME: busName,
  } = read.data;
  return {
    stage,
    apiUrl: apiUrl.replace(/\/$/, ''),
    otherStageUrl,
    tableName,
    busName,
    origins: read.data.ORIGINS,
    dashboardUrl: read.data.DASHBOARD_URL,
    passkeyDomain: read.data.PASSKEY_DOMAIN ?? new URL(apiUrl).hostname,
    mailFrom: read.data.MAIL_FROM,
    keys: {
      psp: read.data.PSP_KEY_ARN,
      integration: read.data.INTEGRATION_KEY_ARN,
      signing: read.data.SIGNING_KEY_ARN,
      answer: read.data.ANSWER_KEY_ARN,
      totp: read.data.TOTP_KEY_ARN,
    },
    macKeys: macKeysOf(read.data),
    queueUrls: Object.fromEntries(urls.map(({ queue, url }) => [queue, url.data])) as AwsEnv['queueUrls'],
  };
}

/** The variable of each key, which the stack sets only for functions that may use the key. */
export const MAC_KEY_VARIABLES = {
  hashSecret: 'HASH_KEY_ARN',
  tokenSecret: 'TOKEN_KEY_ARN',
  recoverySecret: 'RECOVERY_KEY_ARN',
} as const satisfies Record<MacSecretName, string>;

function macKeysOf(variables: z.output<typeof Aws>): AwsEnv['macKeys'] {
  const names = Object.keys(MAC_KEY_VARIABLES) as MacSecretName[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const arn = variables[MAC_KEY_VARIABLES[name]];
      return arn === undefined ? [] : [[name, arn]];
    }),
  );
}
