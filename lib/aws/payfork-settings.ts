import * as z from 'zod';
import { CAPACITY_PROFILES, ROLLOUTS } from '#lib/aws/stages.ts';
import { REGION, STREAM, Standby, standbyFaults } from '#lib/aws/standby-settings.ts';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import { hashVersionsFault } from '#shared/kernel/hash-versions.ts';
import { SPAN_MODES } from '#shared/kernel/spans.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

/** A role's name has at most 64 characters: this name, a region and a function's name. */
const MAX_NAME = 24;
const NAME = new RegExp(`^(?!aws|ssm)[a-z][a-z0-9-]{0,${MAX_NAME - 1}}$`, 'i');
const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const ORIGIN = /^https:\/\/[a-z0-9.-]+(:\d+)?$/;
const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;
const CERTIFICATE = /^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/.+$/;
const TOPIC = /^arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;
const VAULT = /^arn:aws[\w-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]+$/;
const PRINCIPAL = /^arn:aws[\w-]*:(iam|sts)::\d{12}:[\w+=,.@/-]+$/;
const WEB_ACL = /^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/.+$/;
const SECRET = /^arn:aws[\w-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:.+$/;

/** What a function could not read would stop each of its processes when it starts. */
function isAddress(value: string): boolean {
  const { protocol, username, search, hash } = URL.canParse(value) ? new URL(value) : { protocol: '' };
  return protocol === 'https:' && !username && !search && !hash;
}

const text = (pattern: RegExp, says: string) => z.string(says).regex(pattern, says);
const host = (says: string) => text(HOST, says);
const address = (says: string) => z.string(says).refine(isAddress, says);

/** The account and region of a stage. Without it the template fits every account and region. */
const Env = z.strictObject({
  account: text(/^\d{12}$/, 'must be the 12 digits of an AWS account.'),
  region: text(REGION, 'must be a region, such as eu-central-1.'),
});

/** The API's custom domain name, and its certificate in the same region. */
const Domain = z.strictObject({
  name: host('must be a name, such as api.example.com.'),
  certificateArn: text(CERTIFICATE, 'must be the ARN of a certificate: arn:aws:acm:….'),
});

/** CloudFront before the API and the callbacks, in place of `domain`. CloudFront is in us-east-1, whatever the stage's region. */
const Front = z.strictObject({
  domain: host('must be a name, such as api.example.com.'),
  certificateArn: z
    .string()
    .regex(CERTIFICATE, 'must be the ARN of a certificate: arn:aws:acm:us-east-1:….')
    .refine((arn) => arn.split(':')[3] === 'us-east-1', 'must be in us-east-1, where CloudFront looks for it.'),
  /** Takes requests past the front too, while callers and callbacks move to its name. Leave it out when they have. */
  takesDirectRequests: z.boolean().optional(),
  /** Output of the stack `<name>Firewall`. Before that stack was deployed there is none. */
  webAclArn: z
    .string()
    .regex(WEB_ACL, 'must be the ARN of a global firewall: arn:aws:wafv2:us-east-1:…:global/webacl/….')
    .optional(),
  /**
   * A secret of Secrets Manager, in the stage's region: JSON with the fields `current` and `previous`, which are the same
   * at first. Another version in these settings makes the deployment read it again.
   */
  originSecret: z.strictObject({
    arn: z.string().regex(SECRET, 'must be the ARN of a secret: arn:aws:secretsmanager:….'),
    versionId: z.string().regex(/^[\w-]{32,64}$/, 'must be the id of a version of the secret.'),
  }),
});

/** Dashboards that may use a session; where a person goes after signing in; the domain of passkeys. */
const Dashboard = z.strictObject({
  origins: z
    .array(text(ORIGIN, 'must be an origin, such as https://dashboard.example.com.'))
    .min(1, 'must name at least one origin.')
    .optional(),
  url: address('must be an address, such as https://dashboard.example.com/.').optional(),
  /** Default: the API's name. Changing it makes all passkeys useless. */
  passkeyDomain: host('must be a domain, such as example.com.').optional(),
});

/** An address, an endpoint of an incident tool, or a topic that exists. */
const Subscriber = z.union(
  [z.string().regex(EMAIL), z.string().regex(/^https:\/\/\S+$/), z.string().regex(TOPIC)],
  'must be an e-mail address, an https address, or the ARN of an SNS topic.',
);

/** Who is notified of what, and what is watched besides the service itself. */
const Alarms = z.strictObject({
  /** At any hour: money or customers are waiting. */
  page: z.array(Subscriber).optional(),
  /** On the next working day. */
  look: z.array(Subscriber).optional(),
  /** Whether payments are fewer than usual, and whether they succeed less at these providers. */
  providers: z
    .array(z.enum(PROVIDERS, `must be one of: ${PROVIDERS.join(', ')}.`))
    .min(1, 'must name at least one provider.')
    .optional(),
  /** The account's quota of Lambda. Default: 1000. */
  lambdaConcurrency: z.int().min(10, 'must be the quota of concurrent executions, at least 10.').optional(),
  /** Of the whole account. */
  monthlyBudgetUsd: z.number().positive('must be an amount in USD.').optional(),
});

/** A table that was restored, in place of the one of the state stack. */
const RestoredTable = z
  .strictObject({
    name: text(/^[\w.-]{3,255}$/, 'must be the name of a table.'),
    streamArn: text(STREAM, 'must be the ARN of a stream: arn:aws:dynamodb:…:table/…/stream/….'),
  })
  .refine(({ name, streamArn }) => STREAM.exec(streamArn)?.[2] === name, {
    path: ['streamArn'],
    message: 'must be the stream of the table that name says.',
    when: ({ issues }) => issues.length === 0,
  });

const DAYS = 'must be a whole number of days, from 7 to 3,650.';
const days = z.int(DAYS).min(7, DAYS).max(3_650, DAYS);

/** What AWS Backup copies, and for how long it keeps the copies. */
const Backup = z.strictObject({
  dailyDays: days.optional(),
  monthlyDays: days.optional(),
  /** `governance`: only an administrator can delete a copy early. `compliance`: nobody can, three days after this. */
  lock: z.enum(['governance', 'compliance'], 'must be governance or compliance.').optional(),
  /** A vault in another region or account, which gets each copy too. It needs advanced DynamoDB backups there. */
  copyTo: text(VAULT, 'must be the ARN of a vault: arn:aws:backup:….').optional(),
});

/**
 * What the table of the state stack has beyond the usual. Each costs money, and each can be switched on later without a
 * new table (ADR 43).
 */
const TableOptions = z.strictObject({
  /** A key of ours in place of DynamoDB's own. In a replica's region it needs a key that exists there. */
  customerKey: z.boolean().optional(),
  /** Further regions that have the table, each with the key that encrypts it there if the key is ours. */
  replicas: z
    .array(
      z.strictObject({
        region: text(REGION, 'must be a region, such as eu-west-1.'),
        keyArn: text(/^arn:aws[\w-]*:kms:/, 'must be the ARN of a KMS key.').optional(),
      }),
    )
    .optional(),
  /** Contributor Insights, for keys that DynamoDB throttled. It shows keys of items in CloudWatch. */
  throttledKeys: z.boolean().optional(),
});

const VERSION = z.int('must be a whole number from 1.').min(1, 'must be a whole number from 1.');

/** Which versions of a secret of hashes are in use (ADR 54). `docs/aws.md` says in which steps one replaces another. */
const Versions = z
  .strictObject({
    current: VERSION,
    next: VERSION.optional(),
    previous: VERSION.optional(),
    former: z.array(VERSION).readonly().optional(),
  })
  .superRefine((versions, context) => {
    const fault = hashVersionsFault(versions);
    if (fault !== undefined) context.addIssue(`is not possible: ${fault}`);
  });

/** Everything that a deployment decides about a stage. Only `name` and `stage` have no default. */
const Settings = z.strictObject({
  /** The name of the service stack, and the prefix of every fixed name. */
  name: text(
    NAME,
    `must be up to ${MAX_NAME} letters, digits and hyphens, begin with a letter, and not with aws or ssm.`,
  ),
  /** `live` keeps its data when a stack is deleted, and has a live key's prefix. */
  stage: z.enum(STAGE_NAMES, `must be one of: ${STAGE_NAMES.join(', ')}.`),
  env: Env.optional(),
  /** Default: small. */
  capacity: z.enum(CAPACITY_PROFILES, `must be one of: ${CAPACITY_PROFILES.join(', ')}.`).optional(),
  domain: Domain.optional(),
  front: Front.optional(),
  dashboard: Dashboard.optional(),
  /** The sender of all mail. SES must have verified the address or its domain. Without it no mail is sent. */
  mail: z.strictObject({ from: text(EMAIL, 'must be an address, such as payments@example.com.') }).optional(),
  /** Where the other stage answers. Errors name it to callers who use a key of that stage here. */
  otherStageUrl: address('must be an address, such as https://sandbox.example.com.').optional(),
  /** Whether the probe runs: each minute on live, every five minutes on the sandbox. Default: on. */
  probe: z.enum(['on', 'off'], 'must be on or off.').optional(),
  /** `all-at-once` is also for a fix while an alarm rings, as that would stop a canary. Default: canary on live. */
  rollout: z.enum(ROLLOUTS, `must be one of: ${ROLLOUTS.join(', ')}.`).optional(),
  /**
   * Where providers send callbacks: an address that stays when a region, a stack or a function changes. It must lead to
   * `/webhooks/…` of the API or of the function URL. Default: the function URL.
   */
  callbackUrl: address('must be an address, such as https://callbacks.example.com.').optional(),
  /** Versions of the secrets of hashes that are not 1 alone. */
  hashVersions: z
    .strictObject({
      hashSecret: Versions.optional(),
      tokenSecret: Versions.optional(),
      recoverySecret: Versions.optional(),
    })
    .optional(),
  alarms: Alarms.optional(),
  /** Which spans are written to the log. Default: slow. */
  traces: z.enum(SPAN_MODES, `must be one of: ${SPAN_MODES.join(', ')}.`).optional(),
  table: RestoredTable.optional(),
  standby: Standby.optional(),
  /**
   * `closed`: everything is there and nothing of it runs. Requests and callbacks are refused, and no schedule, queue or
   * stream is read. Default: open, and closed with `standby`.
   */
  service: z.enum(['open', 'closed'], 'must be open or closed.').optional(),
  /** When this region took over from the other one, which has relayed and counted what changed before. */
  takenOverAt: z.iso.datetime('must be a time, such as 2027-03-01T10:00:00Z.').optional(),
  /** Copies of the table that outlive it. Default: on live, each day for 35 days and each month for a year. */
  backup: z.union([z.literal('off'), Backup]).optional(),
  /** Who may take the role of the ops commands: ARNs of users and roles. Default: nobody, and there is no such role. */
  operators: z
    .array(text(PRINCIPAL, 'must be the ARN of a user or a role: arn:aws:iam::….'))
    .min(1, 'must name somebody.')
    .optional(),
  tableOptions: TableOptions.optional(),
});

export const SETTING_NAMES: readonly string[] = Object.keys(Settings.shape);

/** A setting with a name that is not listed here is an error, so that a misspelt one is not taken for its default. */
export type PayforkSettings = DeepReadonly<z.input<typeof Settings>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** Whether the service of this line takes requests and works through what is due. */
export const isOpen = ({ service, standby }: Pick<PayforkSettings, 'service' | 'standby'>): boolean =>
  (service ?? (standby ? 'closed' : 'open')) === 'open';

/** Throws one error that names every invalid setting, before anything is made of them. */
export function checkSettings(settings: PayforkSettings): void {
  const faults = [...shapeFaults(settings), ...relationFaults(settings)];
  if (faults.length > 0) throw new Error(`The settings of ${settings.name} are invalid.\n${faults.join('\n')}`);
}

function shapeFaults(settings: PayforkSettings): readonly string[] {
  const { error } = Settings.safeParse(settings);
  return (error?.issues ?? []).map((issue) => {
    if (issue.code === 'unrecognized_keys') return `${[...issue.path, issue.keys.join(', ')].join('.')} is no setting.`;
    return `${issue.path.join('.')} ${issue.message}`;
  });
}

/** CloudWatch notifies no topic of another region, and would refuse the alarm in the middle of a deployment. */
function topicFaults({ env, alarms = {} }: PayforkSettings): readonly string[] {
  return (['page', 'look'] as const).flatMap((severity) =>
    (alarms[severity] ?? []).flatMap((subscriber, n) => {
      const isElsewhere = env && TOPIC.test(subscriber) && subscriber.split(':')[3] !== env.region;
      return isElsewhere ? [`alarms.${severity}.${n} must be a topic in the region of the stage, ${env.region}.`] : [];
    }),
  );
}

/** Rules about two settings at once. */
function relationFaults(settings: PayforkSettings): readonly string[] {
  const { env, domain, front, tableOptions = {} } = settings;
  const { customerKey = false, replicas = [] } = tableOptions;
  const isElsewhere = env && domain && domain.certificateArn.split(':')[3] !== env.region;
  return [
    ...topicFaults(settings),
    ...standbyFaults(settings),
    ...(isElsewhere ? [`domain.certificateArn must be in the region of the stage, ${env.region}.`] : []),
    ...(front && domain ? ['domain and front exclude each other: front.domain is the name of the API then.'] : []),
    ...(front && env && front.originSecret.arn.split(':')[3] !== env.region
      ? [`front.originSecret.arn must be in the region of the stage, ${env.region}.`]
      : []),
    ...(replicas.length > 0 && !env ? ['env must name account and region, as the table has replicas.'] : []),
    ...replicas.flatMap(({ region, keyArn }, n) => {
      const at = `tableOptions.replicas.${n}`;
      if (region === env?.region) return [`${at}.region is where the table itself is. Name other regions.`];
      if (customerKey !== (keyArn !== undefined)) return [`${at}.keyArn and tableOptions.customerKey go together.`];
      return keyArn !== undefined && keyArn.split(':')[3] !== region ? [`${at}.keyArn must be in ${region}.`] : [];
    }),
  ];
}
