import { parseArgs } from 'node:util';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import { isEmail } from '#shared/domain/reference/email.rules.ts';
import { STAGE_NAMES, type Stage } from '#shared/domain/reference/stage.model.ts';
import { isId } from '#shared/kernel/ids.ts';

/** Where the data is. */
export type OpsTarget =
  | { readonly kind: 'local'; readonly stage: Stage }
  | {
      readonly kind: 'aws';
      readonly stage: Stage;
      /** The service stack's name. */
      readonly name: string;
      readonly region: string | undefined;
      /** A table of another name than the stack's: one that was restored. */
      readonly table: string | undefined;
    };

export const COMMANDS = [
  'find',
  'redrive',
  'recount',
  'recount-subscriptions',
  'reindex',
  'quarantine',
  'rehash',
  'reconcile',
] as const;
export type CommandName = (typeof COMMANDS)[number];

export type OpsOptions = {
  readonly command: CommandName;
  readonly subjects: readonly string[];
  readonly target: OpsTarget;
  /** Without it nothing is written. */
  readonly yes: boolean;
  readonly by: string | undefined;
  readonly reason: string | undefined;
  readonly org: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly release: boolean;
  readonly json: boolean;
};

const string = { type: 'string' } as const;
const boolean = { type: 'boolean' } as const;
const FLAGS = {
  local: boolean,
  stage: string,
  name: string,
  region: string,
  table: string,
  yes: boolean,
  by: string,
  reason: string,
  org: string,
  from: string,
  to: string,
  release: boolean,
  json: boolean,
} as const;

type Flags = ReturnType<typeof parseArgs<{ options: typeof FLAGS; allowPositionals: true }>>['values'];

/** Throws one error that names every mistake, with the usage. */
export function opsOptions(args: readonly string[]): OpsOptions {
  const { values, positionals } = parsed(args);
  const [name, ...subjects] = positionals;
  const command = COMMANDS.find((each) => each === name);
  const faults = [
    ...(command ? [] : [name === undefined ? 'Name a command.' : `There is no command ${name}.`]),
    ...targetFaults(values),
    ...(command ? commandFaults(command, subjects, values) : []),
  ];
  if (!command || faults.length > 0) throw new Error([...faults, '', OPS_USAGE].join('\n'));
  const { yes = false, release = false, json = false, by, reason, org, from, to } = values;
  return { command, subjects, target: targetOf(values), yes, release, json, by, reason, org, from, to };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
  } catch (error) {
    throw new Error([unknownFlag(error), '', OPS_USAGE].join('\n'));
  }
}

/** Without Node's advice on how to write a subject that begins with a dash: none of ours does. */
const unknownFlag = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/ To specify a positional argument.*$/s, '');

const stageOf = ({ stage }: Flags): Stage | undefined => STAGE_NAMES.find((each) => each === stage);

function targetFaults(flags: Flags): readonly string[] {
  const { local, name, region, table } = flags;
  return [
    ...(stageOf(flags) ? [] : ['--stage must be sandbox or live.']),
    ...(local && (name ?? region ?? table) !== undefined
      ? ['--name, --region and --table are for AWS. Leave them out with --local.']
      : []),
  ];
}

function targetOf(flags: Flags): OpsTarget {
  const stage = stageOf(flags) ?? 'sandbox';
  const { local, name = STACK_NAMES[stage], region, table } = flags;
  return local ? { kind: 'local', stage } : { kind: 'aws', stage, name, region, table };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** With its zone: the machine that a command runs on may have any. */
const TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A day that exists: `Date` takes the 31st of June for the 1st of July. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00.000Z`);
  return DAY.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

const isTime = (text: string): boolean => isDay(TIME.exec(text)?.[1] ?? '') && !Number.isNaN(Date.parse(text));
const isOrg = (text: string | undefined): boolean => text !== undefined && isId('organization', text);

/** What each command must be told. */
function commandFaults(command: CommandName, subjects: readonly string[], flags: Flags): readonly string[] {
  const { from, to, yes, by, org } = flags;
  const one = (what: string) => (subjects.length === 1 ? [] : [`Name one ${what}.`]);
  const bounds = [from, to].filter((each) => each !== undefined);
  const faults: Readonly<Record<CommandName, readonly string[]>> = {
    find: one('id, reference of a provider, or mail address'),
    redrive: subjects.length === 0 ? ['Name one or more queues with dead letters, or all.'] : [],
    recount: [
      ...(isOrg(subjects[0]) ? one('organization') : ['Name one organization: org_….']),
      ...(from !== undefined && bounds.every(isDay) ? [] : ['--from (and --to) must be days, such as 2027-03-01.']),
    ],
    'recount-subscriptions': isOrg(subjects[0]) ? one('organization') : ['Name one organization: org_….'],
    reindex: [
      ...one('id of a record, or of an organization'),
      ...(bounds.every(isDay) && (to === undefined || from !== undefined)
        ? []
        : ['--from (and --to) must be days, such as 2027-03-01.']),
    ],
    quarantine: isOrg(subjects[0]) ? one('organization') : ['Name one organization: org_….'],
    rehash: subjects.every(isEmail) ? [] : ['rehash takes mail addresses, or none.'],
    reconcile: [
      ...(from !== undefined && bounds.every(isTime)
        ? []
        : ['--from (and --to) must be times with their zone, such as 2027-03-01T10:00Z.']),
      ...(subjects.length === 0 ? [] : ['reconcile takes flags only.']),
    ],
  };
  return [
    ...faults[command],
    ...(org === undefined || isOrg(org) ? [] : ['--org must be the id of an organization: org_….']),
    ...(yes && !isEmail(by ?? '') ? ['--yes needs --by and your mail address: the audit log names who did it.'] : []),
  ];
}

export const OPS_USAGE = `npm run ops -- <command> --stage sandbox|live [--local] [--yes --by you@example.com]

Commands only show what they would do. With --yes and --by they do it, and the platform's audit log says so.

  find <id> [--org org_…]       what an id, a provider's reference or a mail address is, and where it lies
  redrive <queue…|all>          sends dead letters back: timers, webhook-delivery, bus, stream
  recount <org> --from <day> [--to <day>]
                                counts the totals of these days again, from the payments
  recount-subscriptions <org>   counts how the subscriptions stand again, from all of them
  reindex <id>|<org> [--from <day> --to <day>]
                                writes index and due entries again, from the records
  quarantine <org> [--release] [--reason "…"]
                                stops an organization: no key works, nothing is charged. Money under way still settles
  rehash [address…]             moves mail addresses of members, and these, to the current version of their hash
                                (HASH_VERSIONS)
  reconcile --from <time> [--to <time>] [--org org_…]
                                asks the providers what they charged, and adds what the records lack

On AWS: --name of the service stack (default ServiceSandbox or ServiceLive), --region, and --table for a table that
was restored under another name. On this machine: --local, with the DATA_DIR and STORE of the host. Stop it first.
If a secret of hashes was replaced: HASH_VERSIONS as the stage has it. --json prints the result for programs.`;
