import * as z from 'zod';
import { type AwsEnv, readAwsEnv, type Variables } from '#shared/aws-env.ts';
import { STAGE_NAMES, type Stage } from '#shared/domain/reference/stage.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** Four consecutive ports are used, so the first one leaves room for three more. */
const LAST_PORT = 65_532;

const PORT = `PORT must be a whole number from 1 to ${LAST_PORT}; the three ports after it are used too.`;
const PspUrl = z.url({ protocol: /^https?$/, error: 'must be an absolute http or https address.' });

const STORES = ['sqlite', 'dynamodb'] as const;

export type Store = (typeof STORES)[number];

const Local = z.object({
  PORT: z
    .string()
    .regex(/^\d+$/, PORT)
    .transform(Number)
    .pipe(z.number().min(1, PORT).max(LAST_PORT, PORT))
    .default(4_000),
  DATA_DIR: z.string().min(1, 'DATA_DIR must name a folder, or be :memory:.').default('.local'),
  STORE: z.enum(STORES, 'STORE must be sqlite or dynamodb.').default('sqlite'),
  STAGE: z.enum(STAGE_NAMES, 'STAGE must be sandbox or live.').default('sandbox'),
  RATE_LIMITS: z.enum(['on', 'off'], 'RATE_LIMITS must be on or off.').default('on'),
});

export type LocalEnv = {
  readonly port: number;
  /** A folder, or `:memory:`. */
  readonly dataDir: string;
  /** The table's engine: SQLite, or a DynamoDB emulator that the host starts. */
  readonly store: Store;
  readonly stage: Stage;
  readonly rateLimits: boolean;
  readonly pspUrls: Readonly<Partial<Record<Provider, string>>>;
};

/** The local host's settings. Throws one error that names every invalid variable. */
export function localEnv(variables: Readonly<Record<string, string | undefined>> = process.env): LocalEnv {
  const read = Local.safeParse(variables);
  const urls = Object.entries(variables).flatMap(([name, url]) => {
    const provider = /^PSP_URL_([A-Z]+)$/.exec(name)?.[1]?.toLowerCase();
    return url === undefined || provider === undefined ? [] : [{ provider, name, url }];
  });
  const faults = [
    ...(read.error?.issues.map(({ message }) => message) ?? []),
    ...urls.flatMap(
      ({ name, url }) => PspUrl.safeParse(url).error?.issues.map(({ message }) => `${name} ${message}`) ?? [],
    ),
  ];
  if (!read.success || faults.length > 0) throw new Error(faults.join('\n'));
  const { PORT: port, DATA_DIR: dataDir, STORE: store, STAGE: stage, RATE_LIMITS: limits } = read.data;
  return {
    port,
    dataDir,
    store,
    stage,
    rateLimits: limits === 'on',
    pspUrls: Object.fromEntries(urls.map(({ provider, url }) => [provider, url])),
  };
}

/** The bootstrap command's target, in the variables that functions use; its flags take precedence. */
export const bootstrapEnv = (variables: Variables = process.env) => ({
  table: variables.TABLE_NAME,
  hashKey: variables.HASH_KEY_ARN,
});

/** A function's settings on AWS. */
export const awsEnv = (variables: Variables = process.env): AwsEnv => readAwsEnv(variables);
