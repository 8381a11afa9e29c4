import * as z from 'zod';
import type { Variables } from '#shared/aws-env.ts';
import { STAGE_NAMES, type Stage } from '#shared/domain/reference/stage.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { FIRST_HASH_VERSION, type HashVersions, parseHashVersions } from '#shared/kernel/hash-versions.ts';

/** Four consecutive ports are used, so the first one leaves room for three more. */
const LAST_PORT = 65_532;

const PORT = ({ input }: { readonly input?: unknown }): string =>
  `PORT must be a whole number from 1 to ${LAST_PORT}; the three ports after it are used too. It is "${input}".`;

/** Values that would make a folder of a strange name, and leave the data where nobody looks for it. */
const DATA_DIR_MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^~/, 'begins with ~, which the shell has not replaced. Write the whole path, such as "$HOME/payfork".'],
  [/\$[\w{]/, 'has a variable that the shell has not replaced. Put it in double quotes, not in single ones.'],
  [/^:(?!memory:$)/, 'begins with a colon. To keep nothing, write :memory: in small letters, with both colons.'],
  [/^[a-z][\w+.-]*:\/\//i, 'is a URL. Write the path of the folder.'],
  [/\p{Cc}/u, 'has a line break or another control character. Remove it.'],
  [/^\s+\S|\S\s+$/, 'begins or ends with a blank. Remove it.'],
  [/^(["']).*\1$/, 'is in quotes that the shell has not removed. Write it without them.'],
];

const dataDirProblem = (path: string): string | undefined =>
  DATA_DIR_MISTAKES.find(([mistake]) => mistake.test(path))?.[1];

const PspUrl = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https address.' })
  .refine((url) => !/[?#@]/.test(url), 'must end with its path: no user name, no query and no fragment.');

const STORES = ['sqlite', 'dynamodb'] as const;

export type Store = (typeof STORES)[number];

const Local = z.object({
  PORT: z
    .string()
    .regex(/^\d+$/, { error: PORT })
    .transform(Number)
    .pipe(z.number().min(1, { error: PORT }).max(LAST_PORT, { error: PORT }))
    .default(4_000),
  DATA_DIR: z
    .string()
    .regex(/\S/, 'DATA_DIR must name a folder, or be :memory:.')
    .refine((path) => dataDirProblem(path) === undefined, {
      error: ({ input }) => `DATA_DIR ${dataDirProblem(String(input))} It is ${JSON.stringify(input)}.`,
    })
    .default('.local'),
  STORE: z.enum(STORES, 'STORE must be sqlite or dynamodb.').default('sqlite'),
  STAGE: z.enum(STAGE_NAMES, 'STAGE must be sandbox or live.').default('sandbox'),
  RATE_LIMITS: z.enum(['on', 'off'], 'RATE_LIMITS must be on or off.').default('on'),
  HASH_VERSIONS: z
    .string()
    .default(String(FIRST_HASH_VERSION))
    .transform((text, context) => {
      try {
        return parseHashVersions(text);
      } catch (error) {
        context.addIssue(`HASH_VERSIONS: ${error instanceof Error ? error.message : error}`);
        return z.NEVER;
      }
    }),
  CALLBACK_URL: z
    .url({ protocol: /^https?$/, error: 'CALLBACK_URL must be an absolute http or https address.' })
    .refine((url) => !/[?#@]/.test(url), 'CALLBACK_URL must end with its path: no user name, no query, no fragment.')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
});

export type LocalEnv = {
  readonly port: number;
  /** A folder, or `:memory:`. */
  readonly dataDir: string;
  /** The table's engine: SQLite, or a DynamoDB emulator that the host starts. */
  readonly store: Store;
  readonly stage: Stage;
  readonly rateLimits: boolean;
  /** The versions of the secrets of hashes. */
  readonly hashVersions?: HashVersions | undefined;
  /** Base URL that providers' callbacks reach this host at, such as that of a tunnel. Default: the simulators' way. */
  readonly callbackUrl?: string | undefined;
  readonly pspUrls: Readonly<Partial<Record<Provider, string>>>;
};

/** The local host's settings. Throws one error that names every invalid variable. */
export function readLocalEnv(variables: Variables): LocalEnv {
  const read = Local.safeParse(variables);
  const urls = Object.entries(variables).flatMap(([name, url]) => {
    const provider = /^PSP_URL_(\w+)$/.exec(name)?.[1]?.toLowerCase();
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
  const { HASH_VERSIONS: hashVersions, CALLBACK_URL: callbackUrl } = read.data;
  return {
    port,
    dataDir,
    store,
    stage,
    rateLimits: limits === 'on',
    hashVersions,
    callbackUrl,
    pspUrls: Object.fromEntries(urls.map(({ provider, url }) => [provider, url])),
  };
}
