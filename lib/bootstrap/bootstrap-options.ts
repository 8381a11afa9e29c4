import { parseArgs } from 'node:util';
import * as z from 'zod';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { Stage } from '#shared/domain/api-key.model.ts';

/** With its region, which is the stack's. */
const KEY_ARN = /^arn:aws[\w-]*:kms:[a-z]+(-[a-z0-9]+)+:\d{12}:key\/.+$/;

const text = (name: string) => z.string(`${name} is missing.`).trim().min(1, `${name} is empty.`).max(200, `${name} is longer than 200 characters.`);

const Options = z.object({
  stage: z.enum(['sandbox', 'live'], '--stage must be sandbox or live.'),
  name: text('--name'),
  'legal-name': text('--legal-name'),
  owner: z.email('--owner must be an e-mail address.').max(320, '--owner must be an e-mail address.'),
  table: z.string('--table (or TABLE_NAME) is missing.').min(1, '--table is empty.'),
  'hash-key': z.string('--hash-key (or HASH_KEY_ARN) is missing.').regex(KEY_ARN, '--hash-key must be the ARN of a KMS key, as the stack puts it out.'),
  'new-key': z.boolean().default(false),
});

export type BootstrapOptions = {
  readonly stage: Stage;
  readonly name: string;
  readonly legalName: string;
  readonly owner: string;
  readonly table: string;
  readonly hashKey: string;
  readonly newKey: boolean;
};

const string = { type: 'string' } as const;
const FLAGS = { stage: string, name: string, 'legal-name': string, owner: string, table: string, 'hash-key': string, 'new-key': { type: 'boolean' } } as const;

/** Flags first, then the environment. Throws one error that names all that is wrong, and says how to get it right. */
export function bootstrapOptions(args: readonly string[], env: { readonly table?: string; readonly hashKey?: string }): BootstrapOptions {
  const flags = flagsOf(args);
  const read = Options.safeParse({ table: env.table, 'hash-key': env.hashKey, ...flags });
  if (!read.success) throw new Error([...read.error.issues.map(({ message }) => message), '', usage(flags.stage)].join('\n'));
  const { stage, name, owner, table, 'legal-name': legalName, 'hash-key': hashKey, 'new-key': newKey } = read.data;
  const other: Stage = stage === 'live' ? 'sandbox' : 'live';
  if (table.startsWith(`${STACK_NAMES[other]}-`)) throw new Error(`${table} is the table of the ${other} stage; stages share nothing.\n\n${usage(stage)}`);
  return { stage, name, legalName, owner, table, hashKey, newKey };
}

function flagsOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    throw new Error([error instanceof Error ? error.message : String(error), '', usage(undefined)].join('\n'));
  }
}

/** Table and key are the stack's outputs; whoever may read those copies them from there. */
function usage(stage: string | undefined): string {
  const stack = stage === 'live' ? STACK_NAMES.live : STACK_NAMES.sandbox;
  return [
    'npm run bootstrap -- --stage sandbox|live --name "Shop" --legal-name "Shop Ltd" --owner owner@example.com \\',
    '  --table <TableName> --hash-key <HashKeyArn> [--new-key]',
    '',
    'TableName and HashKeyArn are outputs of the stack:',
    `  aws cloudformation describe-stacks --stack-name ${stack} --query 'Stacks[0].Outputs' --output table`,
  ].join('\n');
}
