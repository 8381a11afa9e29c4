import { parseArgs } from 'node:util';
import * as z from 'zod';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import { isEmail } from '#shared/domain/reference/email.rules.ts';
import { STAGE_NAMES, type Stage } from '#shared/domain/reference/stage.model.ts';

/** It names the region of the stack. */
const KEY_ARN = /^arn:aws[\w-]*:kms:[a-z]+(-[a-z0-9]+)+:\d{12}:key\/.+$/;

const text = (flag: string) =>
  z.string(`${flag} is missing.`).trim().min(1, `${flag} is empty.`).max(200, `${flag} is longer than 200 characters.`);

const CommonFlags = z.object({
  stage: z.enum(STAGE_NAMES, '--stage must be sandbox or live.'),
  name: text('--name'),
  'legal-name': text('--legal-name'),
  owner: z.string('--owner must be an email address.').trim().refine(isEmail, '--owner must be an email address.'),
  'new-key': z.boolean().default(false),
});
const AwsFlags = CommonFlags.extend({
  table: z.string('--table (or TABLE_NAME) is missing.').min(1, '--table is empty.'),
  'hash-key': z
    .string('--hash-key (or HASH_KEY_ARN) is missing.')
    .regex(KEY_ARN, '--hash-key must be the ARN of a KMS key: the output HashKeyArn of the stack.'),
});
const LocalFlags = CommonFlags.extend({
  table: z.undefined('--table cannot be used with --local.').optional(),
  'hash-key': z.undefined('--hash-key cannot be used with --local.').optional(),
});

export type BootstrapInput = {
  readonly stage: Stage;
  readonly name: string;
  readonly legalName: string;
  readonly owner: string;
  readonly newKey: boolean;
};
export type BootstrapOptions = BootstrapInput & {
  readonly local: false;
  readonly table: string;
  readonly hashKey: string;
};
export type LocalBootstrapOptions = BootstrapInput & { readonly local: true };

const string = { type: 'string' } as const;
const boolean = { type: 'boolean' } as const;
const FLAGS = {
  stage: string,
  name: string,
  'legal-name': string,
  owner: string,
  table: string,
  'hash-key': string,
  'new-key': boolean,
  local: boolean,
} as const;

type Env = { readonly table?: string | undefined; readonly hashKey?: string | undefined };

/** Flags take precedence over the environment. Throws one error that names every invalid flag. */
export function bootstrapOptions(args: readonly string[], env: Env): BootstrapOptions | LocalBootstrapOptions {
  const { local = false, ...flags } = flagsOf(args);
  if (local) return { local, ...inputOf(parseFlags(LocalFlags, flags, flags.stage)) };
  const flagValues = parseFlags(AwsFlags, { table: env.table, 'hash-key': env.hashKey, ...flags }, flags.stage);
  const { stage, table, 'hash-key': hashKey } = flagValues;
  const other: Stage = stage === 'live' ? 'sandbox' : 'live';
  if (table.startsWith(`${STACK_NAMES[other]}-`))
    throw new Error(`${table} is the table of the ${other} stage, not of ${stage}.\n\n${usage(stage)}`);
  return { local, ...inputOf(flagValues), table, hashKey };
}

function parseFlags<T extends z.ZodType>(shape: T, flags: object, stage: string | undefined): z.output<T> {
  const parsed = shape.safeParse(flags);
  if (!parsed.success)
    throw new Error([...parsed.error.issues.map(({ message }) => message), '', usage(stage)].join('\n'));
  return parsed.data;
}

const inputOf = ({
  stage,
  name,
  'legal-name': legalName,
  owner,
  'new-key': newKey,
}: z.output<typeof CommonFlags>): BootstrapInput => ({
  stage,
  name,
  legalName,
  owner,
  newKey,
});

function flagsOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    throw new Error([error instanceof Error ? error.message : String(error), '', usage(undefined)].join('\n'));
  }
}

/** The table and the key are outputs of the stack, which the operator copies. */
export function usage(stage: string | undefined): string {
  const stack = stage === 'live' ? STACK_NAMES.live : STACK_NAMES.sandbox;
  return [
    'npm run bootstrap -- --stage sandbox|live --name "Shop" --legal-name "Shop Ltd" --owner owner@example.com \\',
    '  --table <TableName> --hash-key <HashKeyArn> [--new-key]',
    '',
    'TableName and HashKeyArn are outputs of the stack:',
    `  aws cloudformation describe-stacks --stack-name ${stack} --query 'Stacks[0].Outputs' --output table`,
    '',
    'For the local host, use --local instead of both, with the DATA_DIR and STORE that it is started ' +
      'with. Stop it first.',
  ].join('\n');
}
