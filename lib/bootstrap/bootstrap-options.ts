import { parseArgs } from 'node:util';
import * as z from 'zod';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import { isEmail } from '#shared/domain/reference/email.rules.ts';
import { STAGE_NAMES, type Stage } from '#shared/domain/reference/stage.model.ts';
import { FIRST_HASH_VERSION, type HashVersions, parseHashVersions } from '#shared/kernel/hash-versions.ts';

/** It names the region of the stack. */
const KEY_ARN = /^arn:aws[\w-]*:kms:[a-z]+(-[a-z0-9]+)+:\d{12}:key\/.+$/;

const text = (flag: string) =>
  z.string(`${flag} is missing.`).trim().min(1, `${flag} is empty.`).max(200, `${flag} is longer than 200 characters.`);

const StageFlag = z.enum(STAGE_NAMES, '--stage must be sandbox or live.');
const onlyWithout = (flag: string, other: string) => z.undefined(`${flag} cannot be used with ${other}.`).optional();
const OrganizationFlags = z.object({
  stage: StageFlag,
  name: text('--name'),
  'legal-name': text('--legal-name'),
  owner: z.string('--owner must be an email address.').trim().refine(isEmail, '--owner must be an email address.'),
  'new-key': z.boolean().default(false),
});
const ProbeFlags = z.object({
  stage: StageFlag,
  name: onlyWithout('--name', '--probe'),
  'legal-name': onlyWithout('--legal-name', '--probe'),
  owner: onlyWithout('--owner', '--probe'),
  'new-key': z.boolean().default(false),
});
/** As the settings of the deployment say it, once the hash secret was replaced. */
const HashVersionsText = z
  .string()
  .default(String(FIRST_HASH_VERSION))
  .transform((given, context) => {
    try {
      return parseHashVersions(given);
    } catch (error) {
      context.addIssue(`--hash-versions: ${error instanceof Error ? error.message : error}`);
      return z.NEVER;
    }
  });
const AwsTargetFlags = z.object({
  table: z.string('--table (or TABLE_NAME) is missing.').min(1, '--table is empty.'),
  'hash-key': z
    .string('--hash-key (or HASH_KEY_ARN) is missing.')
    .regex(KEY_ARN, '--hash-key must be the ARN of a KMS key: the output HashKeyArn of the stack.'),
  'hash-versions': HashVersionsText,
});
const LocalTargetFlags = z.object({
  table: onlyWithout('--table', '--local'),
  'hash-key': onlyWithout('--hash-key', '--local'),
  'hash-versions': onlyWithout('--hash-versions', '--local, which reads HASH_VERSIONS'),
});

/** A stage's first organization, or the one of its probe. */
export type BootstrapInput = { readonly stage: Stage; readonly newKey: boolean } & (
  | { readonly name: string; readonly legalName: string; readonly owner: string }
  | { readonly probe: true }
);
export type BootstrapOptions = BootstrapInput & {
  readonly local: false;
  readonly table: string;
  readonly hashKey: string;
  readonly hashVersions: HashVersions;
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
  'hash-versions': string,
  'new-key': boolean,
  probe: boolean,
  local: boolean,
} as const;

type Env = {
  readonly table?: string | undefined;
  readonly hashKey?: string | undefined;
  readonly hashVersions?: string | undefined;
};

/** Flags take precedence over the environment. Throws one error that names every invalid flag. */
export function bootstrapOptions(args: readonly string[], env: Env): BootstrapOptions | LocalBootstrapOptions {
  const { local = false, probe = false, ...flags } = flagsOf(args);
  const { table: envTable, hashKey: envKey, hashVersions: envVersions } = env;
  const given = local ? flags : { table: envTable, 'hash-key': envKey, 'hash-versions': envVersions, ...flags };
  const shapes = [probe ? ProbeFlags : OrganizationFlags, local ? LocalTargetFlags : AwsTargetFlags];
  const faults = shapes.flatMap((shape) => shape.safeParse(given).error?.issues.map(({ message }) => message) ?? []);
  if (faults.length > 0) throw new Error([...faults, '', usage(flags.stage)].join('\n'));
  const input = probe ? probeInput(ProbeFlags.parse(given)) : organizationInput(OrganizationFlags.parse(given));
  if (local) return { local, ...input };
  const { table, 'hash-key': hashKey, 'hash-versions': hashVersions } = AwsTargetFlags.parse(given);
  const other: Stage = input.stage === 'live' ? 'sandbox' : 'live';
  if (table.startsWith(`${STACK_NAMES[other]}-`))
    throw new Error(`${table} is the table of the ${other} stage, not of ${input.stage}.\n\n${usage(input.stage)}`);
  return { local, ...input, table, hashKey, hashVersions };
}

const probeInput = ({ stage, 'new-key': newKey }: z.output<typeof ProbeFlags>): BootstrapInput => ({
  stage,
  newKey,
  probe: true,
});

const organizationInput = ({
  stage,
  name,
  'legal-name': legalName,
  owner,
  'new-key': newKey,
}: z.output<typeof OrganizationFlags>): BootstrapInput => ({ stage, name, legalName, owner, newKey });

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
    'For the organization of the probe, write --probe in place of name, legal name and owner.',
    '',
    'TableName and HashKeyArn are outputs of the stack:',
    `  aws cloudformation describe-stacks --stack-name ${stack} --query 'Stacks[0].Outputs' --output table`,
    '',
    'If the hash secret was replaced, add --hash-versions, as the setting hashVersions says it: 2,1 for current 2, previous 1.',
    '',
    'For the local host, use --local instead of both, with the DATA_DIR and STORE that it is started ' +
      'with. Stop it first.',
  ].join('\n');
}
