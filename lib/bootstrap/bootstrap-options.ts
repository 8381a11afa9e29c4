import { parseArgs } from 'node:util';
import * as z from 'zod';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import { STAGE_NAMES, type Stage } from '#shared/domain/reference/stage.model.ts';

/** With its region, which is the stack's. */
const KEY_ARN = /^arn:aws[\w-]*:kms:[a-z]+(-[a-z0-9]+)+:\d{12}:key\/.+$/;

const text = (name: string) =>
  z.string(`${name} is missing.`).trim().min(1, `${name} is empty.`).max(200, `${name} is longer than 200 characters.`);

const Wish = z.object({
  stage: z.enum(STAGE_NAMES, '--stage must be sandbox or live.'),
  name: text('--name'),
  'legal-name': text('--legal-name'),
  owner: z.email('--owner must be an e-mail address.').max(320, '--owner must be an e-mail address.'),
  'new-key': z.boolean().default(false),
});
const OnAws = Wish.extend({
  table: z.string('--table (or TABLE_NAME) is missing.').min(1, '--table is empty.'),
  'hash-key': z
    .string('--hash-key (or HASH_KEY_ARN) is missing.')
    .regex(KEY_ARN, '--hash-key must be the ARN of a KMS key, as the stack puts it out.'),
});
const Locally = Wish.extend({
  table: z.undefined('--table is of a stage on AWS.').optional(),
  'hash-key': z.undefined('--hash-key is of a stage on AWS.').optional(),
});

export type BootstrapWish = {
  readonly stage: Stage;
  readonly name: string;
  readonly legalName: string;
  readonly owner: string;
  readonly newKey: boolean;
};
/** `local`: in the local host's folder. */
export type BootstrapOptions = BootstrapWish & {
  readonly local: false;
  readonly table: string;
  readonly hashKey: string;
};
export type LocalBootstrapOptions = BootstrapWish & { readonly local: true };

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

/** Flags take precedence over the environment. Throws one error that names every fault and its remedy. */
export function bootstrapOptions(args: readonly string[], env: Env): BootstrapOptions | LocalBootstrapOptions {
  const { local = false, ...flags } = flagsOf(args);
  if (local) return { local, ...wishOf(readAs(Locally, flags, flags.stage)) };
  const read = readAs(OnAws, { table: env.table, 'hash-key': env.hashKey, ...flags }, flags.stage);
  const { stage, table, 'hash-key': hashKey } = read;
  const other: Stage = stage === 'live' ? 'sandbox' : 'live';
  if (table.startsWith(`${STACK_NAMES[other]}-`))
    throw new Error(`${table} is the table of the ${other} stage; stages share nothing.\n\n${usage(stage)}`);
  return { local, ...wishOf(read), table, hashKey };
}

function readAs<T extends z.ZodType>(shape: T, given: object, stage: string | undefined): z.output<T> {
  const read = shape.safeParse(given);
  if (!read.success) throw new Error([...read.error.issues.map(({ message }) => message), '', usage(stage)].join('\n'));
  return read.data;
}

const wishOf = ({
  stage,
  name,
  'legal-name': legalName,
  owner,
  'new-key': newKey,
}: z.output<typeof Wish>): BootstrapWish => ({
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

/** Table and key are the stack's outputs; an operator who may read those copies them from there. */
function usage(stage: string | undefined): string {
  const stack = stage === 'live' ? STACK_NAMES.live : STACK_NAMES.sandbox;
  return [
    'npm run bootstrap -- --stage sandbox|live --name "Shop" --legal-name "Shop Ltd" --owner owner@example.com \\',
    '  --table <TableName> --hash-key <HashKeyArn> [--new-key]',
    '',
    'TableName and HashKeyArn are outputs of the stack:',
    `  aws cloudformation describe-stacks --stack-name ${stack} --query 'Stacks[0].Outputs' --output table`,
    '',
    'For the local host, which must not be running, --local in the place of both; DATA_DIR and STORE are those it is started with.',
  ].join('\n');
}
