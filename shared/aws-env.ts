import { STAGE_NAMES, type Stage } from '#shared/domain/reference/stage.model.ts';
import { FIRST_HASH_VERSION, type HashVersions, parseHashVersions } from '#shared/kernel/hash-versions.ts';
import { SPAN_MODES, type SpanMode } from '#shared/kernel/spans.ts';
import type { MacSecretName } from '#shared/ports/deps.ts';
import { QUEUES, type QueueName } from '#shared/ports/queue.port.ts';
import type { SealingKey } from '#shared/ports/vault.port.ts';

export type AwsEnv = {
  /** The name space of metrics, if it is not the stage's. */
  readonly metrics: string | undefined;
  /** Which spans are written to the log. */
  readonly traces: SpanMode;
  readonly stage: Stage;
  /** Which build this is. Only what says it to others is given it: it changes with every build. */
  readonly version: string;
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
  /** KMS keys that seal secrets. */
  readonly keys: Readonly<Record<SealingKey, string>>;
  /** KMS keys that make the secrets of hashes: only those that this function may use. */
  readonly macKeys: Readonly<Partial<Record<MacSecretName, MacKey>>>;
  /** Base URL of providers' callbacks, where it is not the API's. */
  readonly callbackUrl: string | undefined;
  /** What requests from the front bring. Empty: there is no front. */
  readonly originSecrets: readonly string[];
  /** Whether requests past the front are taken too. */
  readonly takesDirectRequests: boolean;
  readonly queueUrls: Readonly<Record<QueueName, string>>;
  /** When this region took over from another one, for the consumers of the stream. */
  readonly changesSince: Date | undefined;
};

/** A KMS key that makes a secret of hashes, with the versions of the secret that are in use. */
export type MacKey = { readonly arn: string; readonly versions: HashVersions };

export type Variables = Readonly<Record<string, string | undefined>>;

/** The variable of a queue's address: `QUEUE_URL_WEBHOOK_DELIVERY`. */
export const queueVariable = (queue: QueueName): string => `QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`;

/** Which texts a variable may have, and what an error says of any other. */
type Rule = { readonly isValid: (text: string) => boolean; readonly says: string; readonly optional?: true };

const text = (says: string): Rule => ({ isValid: (value) => value !== '', says });
const url = (says: string): Rule => ({ isValid: URL.canParse, says });
const optional = (rule: Rule): Rule => ({ ...rule, optional: true });
const KEY: Rule = { isValid: (value) => /^arn:aws[\w-]*:kms:/.test(value), says: 'must be the ARN of a KMS key.' };
const VERSIONS: Rule = {
  isValid: areHashVersions,
  says: 'must be versions of a secret of hashes, such as 1, or "2,1" while version 2 replaces version 1.',
};
/** Letters and digits alone, so that commas can separate them. */
const ORIGIN_SECRET = /^[A-Za-z0-9_-]{32,}$/;
const ORIGIN = /^https:\/\/[a-z0-9.-]+(:\d+)?$/;
const originsIn = (list: string): readonly string[] => list.split(',').map((origin) => origin.trim());

/** Without zod: it would be a quarter of a function that needs it for nothing else. */
const RULES = {
  VERSION: optional(text('must say which build this is.')),
  STAGE: { isValid: isStage, says: 'must be sandbox or live.' },
  API_URL: url('must be the address of the API.'),
  OTHER_STAGE_URL: text('must say where the other stage is.'),
  TABLE_NAME: text('must name the table.'),
  /** Dashboards' origins, comma-separated. */
  ORIGINS: optional({
    isValid: (value) => originsIn(value).every((origin) => ORIGIN.test(origin)),
    says: 'must be origins, such as https://dashboard.example.com, with commas between them.',
  }),
  /** Of the front, comma-separated. */
  ORIGIN_SECRETS: optional({
    isValid: (value) => value.split(',').every((secret) => ORIGIN_SECRET.test(secret)),
    says: 'must be secrets of at least 32 letters and digits, with commas between them.',
  }),
  DIRECT_REQUESTS: optional({ isValid: (value) => value === 'taken', says: 'must be `taken`, or missing.' }),
  DASHBOARD_URL: optional(url('must be the address of the dashboard.')),
  PASSKEY_DOMAIN: optional(text('must be the domain that passkeys are made for.')),
  MAIL_FROM: optional({
    isValid: (value) => /^[^\s@<>]+@[^\s@<>]+$/.test(value),
    says: 'must be the address that mail comes from.',
  }),
  BUS_NAME: text('must name the event bus.'),
  METRICS: optional(text('must be the name space of metrics.')),
  TRACES: optional({ isValid: isSpanMode, says: `must be one of: ${SPAN_MODES.join(', ')}.` }),
  PSP_KEY_ARN: KEY,
  SECRETS_KEY_ARN: KEY,
  HASH_KEY_ARN: optional(KEY),
  TOKEN_KEY_ARN: optional(KEY),
  RECOVERY_KEY_ARN: optional(KEY),
  HASH_VERSIONS: optional(VERSIONS),
  TOKEN_VERSIONS: optional(VERSIONS),
  RECOVERY_VERSIONS: optional(VERSIONS),
  CHANGES_SINCE: optional({ isValid: isTime, says: 'must be a time, such as 2027-03-01T10:00:00Z.' }),
  CALLBACK_URL: optional(url("must be the address that providers' callbacks go to.")),
} as const satisfies Readonly<Record<string, Rule>>;

function areHashVersions(text: string): boolean {
  try {
    return parseHashVersions(text).current > 0;
  } catch {
    return false;
  }
}

const QUEUE = url('must be the address of a queue.');

function isTime(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
}

function isSpanMode(value: string | undefined): value is SpanMode {
  return SPAN_MODES.some((mode) => mode === value);
}

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
  const { TRACES: traces } = variables;
  return {
    metrics: variables.METRICS,
    traces: isSpanMode(traces) ? traces : 'off',
    stage,
    version: variables.VERSION ?? 'unknown',
    apiUrl: apiUrl.replace(/\/$/, ''),
    otherStageUrl: read('OTHER_STAGE_URL'),
    tableName: read('TABLE_NAME'),
    busName: read('BUS_NAME'),
    origins: variables.ORIGINS === undefined ? [] : originsIn(variables.ORIGINS),
    dashboardUrl: variables.DASHBOARD_URL,
    passkeyDomain: variables.PASSKEY_DOMAIN ?? new URL(apiUrl).hostname,
    mailFrom: variables.MAIL_FROM,
    keys: { psp: read(SEALING_KEY_VARIABLES.psp), secrets: read(SEALING_KEY_VARIABLES.secrets) },
    macKeys: macKeysOf(variables),
    callbackUrl: variables.CALLBACK_URL?.replace(/\/$/, ''),
    originSecrets: variables.ORIGIN_SECRETS?.split(',') ?? [],
    takesDirectRequests: variables.DIRECT_REQUESTS === 'taken',
    queueUrls: Object.fromEntries(
      QUEUES.map((queue) => [queue, variables[queueVariable(queue)]]),
    ) as AwsEnv['queueUrls'],
    changesSince: variables.CHANGES_SINCE === undefined ? undefined : new Date(variables.CHANGES_SINCE),
  };
}

/** The variable of each key that seals. */
export const SEALING_KEY_VARIABLES = {
  psp: 'PSP_KEY_ARN',
  secrets: 'SECRETS_KEY_ARN',
} as const satisfies Record<SealingKey, string>;

/** The variable of each key, which the stack sets only for functions that may use the key. */
export const MAC_KEY_VARIABLES = {
  hashSecret: 'HASH_KEY_ARN',
  tokenSecret: 'TOKEN_KEY_ARN',
  recoverySecret: 'RECOVERY_KEY_ARN',
} as const satisfies Record<MacSecretName, string>;

/** The variable of each secret's versions. Without it, there is version 1 alone. */
export const HASH_VERSION_VARIABLES = {
  hashSecret: 'HASH_VERSIONS',
  tokenSecret: 'TOKEN_VERSIONS',
  recoverySecret: 'RECOVERY_VERSIONS',
} as const satisfies Record<MacSecretName, string>;

export const readHashVersions = (variables: Variables, name: MacSecretName = 'hashSecret'): HashVersions =>
  parseHashVersions(variables[HASH_VERSION_VARIABLES[name]] ?? String(FIRST_HASH_VERSION));

function macKeysOf(variables: Variables): AwsEnv['macKeys'] {
  const names = Object.keys(MAC_KEY_VARIABLES) as MacSecretName[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const arn = variables[MAC_KEY_VARIABLES[name]];
      return arn === undefined ? [] : [[name, { arn, versions: readHashVersions(variables, name) }]];
    }),
  );
}
