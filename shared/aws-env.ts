import { STAGE_NAMES, type Stage } from '#shared/domain/reference/stage.model.ts';
import type { MacSecretName } from '#shared/ports/deps.ts';
import { QUEUES, type QueueName } from '#shared/ports/queue.port.ts';
import type { SealingKey } from '#shared/ports/vault.port.ts';

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

/** Which texts a variable may have, and what an error says of any other. */
type Rule = { readonly isValid: (text: string) => boolean; readonly says: string; readonly optional?: true };

const text = (says: string): Rule => ({ isValid: (value) => value !== '', says });
const url = (says: string): Rule => ({ isValid: URL.canParse, says });
const optional = (rule: Rule): Rule => ({ ...rule, optional: true });
const KEY: Rule = { isValid: (value) => /^arn:aws[\w-]*:kms:/.test(value), says: 'must be the ARN of a KMS key.' };
const ORIGIN = /^https:\/\/[a-z0-9.-]+(:\d+)?$/;
const originsIn = (list: string): readonly string[] => list.split(',').map((origin) => origin.trim());

/** Without zod: it would be a quarter of a function that needs it for nothing else. */
const RULES = {
  STAGE: { isValid: isStage, says: 'must be sandbox or live.' },
  API_URL: url('must be the address of the API.'),
  OTHER_STAGE_URL: text('must say where the other stage is.'),
  TABLE_NAME: text('must name the table.'),
  /** Dashboards' origins, comma-separated. */
  ORIGINS: optional({
    isValid: (value) => originsIn(value).every((origin) => ORIGIN.test(origin)),
    says: 'must be origins, such as https://dashboard.example.com, with commas between them.',
  }),
  DASHBOARD_URL: optional(url('must be the address of the dashboard.')),
  PASSKEY_DOMAIN: optional(text('must be the domain that passkeys are made for.')),
  MAIL_FROM: optional({
    isValid: (value) => /^[^\s@<>]+@[^\s@<>]+$/.test(value),
    says: 'must be the address that mail comes from.',
  }),
  BUS_NAME: text('must name the event bus.'),
  PSP_KEY_ARN: KEY,
  INTEGRATION_KEY_ARN: KEY,
  SIGNING_KEY_ARN: KEY,
  ANSWER_KEY_ARN: KEY,
  TOTP_KEY_ARN: KEY,
  HASH_KEY_ARN: optional(KEY),
  TOKEN_KEY_ARN: optional(KEY),
  RECOVERY_KEY_ARN: optional(KEY),
} as const satisfies Readonly<Record<string, Rule>>;

const QUEUE = url('must be the address of a queue.');

function isStage(value: string | undefined): value is Stage {
  return STAGE_NAMES.some((stage) => stage === value);
}

const faultsIn = (variables: Variables, rules: readonly (readonly [string, Rule])[]): readonly string[] =>
  rules.flatMap(([name, rule]) => {
    const value = variables[name];
    const isFine = value === undefined ? rule.optional === true : rule.isValid(value);
    return isFine ? [] : [`${name} ${rule.says}`];
  });

/**
 * The settings that the stack gives each function; the SDK reads region, credentials and endpoints itself. Throws one
 * error that names every invalid variable.
 */
export function readAwsEnv(variables: Variables): AwsEnv {
  const queues = QUEUES.map((queue) => [queueVariable(queue), QUEUE] as const);
  const faults = faultsIn(variables, [...Object.entries(RULES), ...queues]);
  const { STAGE: stage } = variables;
  if (!isStage(stage) || faults.length > 0) throw new Error(faults.join('\n'));
  // Only optional variables are missing now.
  const read = (name: keyof typeof RULES): string => variables[name] ?? '';
  const apiUrl = read('API_URL');
  return {
    stage,
    apiUrl: apiUrl.replace(/\/$/, ''),
    otherStageUrl: read('OTHER_STAGE_URL'),
    tableName: read('TABLE_NAME'),
    busName: read('BUS_NAME'),
    origins: variables.ORIGINS === undefined ? [] : originsIn(variables.ORIGINS),
    dashboardUrl: variables.DASHBOARD_URL,
    passkeyDomain: variables.PASSKEY_DOMAIN ?? new URL(apiUrl).hostname,
    mailFrom: variables.MAIL_FROM,
    keys: {
      psp: read('PSP_KEY_ARN'),
      integration: read('INTEGRATION_KEY_ARN'),
      signing: read('SIGNING_KEY_ARN'),
      answer: read('ANSWER_KEY_ARN'),
      totp: read('TOTP_KEY_ARN'),
    },
    macKeys: macKeysOf(variables),
    queueUrls: Object.fromEntries(
      QUEUES.map((queue) => [queue, variables[queueVariable(queue)]]),
    ) as AwsEnv['queueUrls'],
  };
}

/** The variable of each key, which the stack sets only for functions that may use the key. */
export const MAC_KEY_VARIABLES = {
  hashSecret: 'HASH_KEY_ARN',
  tokenSecret: 'TOKEN_KEY_ARN',
  recoverySecret: 'RECOVERY_KEY_ARN',
} as const satisfies Record<MacSecretName, string>;

function macKeysOf(variables: Variables): AwsEnv['macKeys'] {
  const names = Object.keys(MAC_KEY_VARIABLES) as MacSecretName[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const arn = variables[MAC_KEY_VARIABLES[name]];
      return arn === undefined ? [] : [[name, arn]];
    }),
  );
}
