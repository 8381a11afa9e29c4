import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRootPrincipal, type IRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName, type FunctionSettings, namesOf, recordOf } from '#lib/aws/function-table.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { OPERATOR, type ResourceNames } from '#lib/aws/stack-names.ts';
import { HASH_VERSION_VARIABLES, MAC_KEY_VARIABLES, SEALING_KEY_VARIABLES } from '#shared/aws-env.ts';
import { formatHashVersions } from '#shared/kernel/hash-versions.ts';
import { ID_PREFIX } from '#shared/kernel/ids.ts';
import type { MacSecretName } from '#shared/ports/deps.ts';
import { KEY_OF_KIND, SEALED_KINDS, type SealedKind, type SealingKey } from '#shared/ports/vault.port.ts';

export type KeyName = SealingKey | MacSecretName;

/** Every key, with what it is for. Its name is part of its alias and of its parameter. */
export const KEYS: Readonly<Record<KeyName, string>> = {
  psp: 'Encrypts PSP credentials and payment methods',
  secrets: 'Encrypts all other secrets, each kind under its own encryption context',
  hashSecret: 'Derives the secrets that stored records are found by',
  tokenSecret: 'Derives the secrets of tokens that outsiders hold',
  recoverySecret: 'Derives the secrets of recovery codes',
};

/** Administering a key is all that the account's own policies can allow. None of these actions decrypts anything. */
export const KEY_ADMIN_ACTIONS = [
  'kms:CancelKeyDeletion',
  'kms:CreateAlias',
  'kms:DeleteAlias',
  'kms:DescribeKey',
  'kms:DisableKey',
  'kms:DisableKeyRotation',
  'kms:EnableKey',
  'kms:EnableKeyRotation',
  'kms:GetKeyPolicy',
  'kms:GetKeyRotationStatus',
  'kms:ListKeyPolicies',
  'kms:ListKeyRotations',
  'kms:ListResourceTags',
  'kms:PutKeyPolicy',
  'kms:ReplicateKey',
  'kms:RotateKeyOnDemand',
  'kms:ScheduleKeyDeletion',
  'kms:TagResource',
  'kms:UntagResource',
  'kms:UpdateAlias',
  'kms:UpdateKeyDescription',
  'kms:UpdatePrimaryRegion',
];

/**
 * The operator who deploys creates the first API key, which needs the stage's hash secret. So the account's policies
 * decide who may use that key. They do not for the other keys of hashes.
 */
const BOOTSTRAP_ACTIONS = ['kms:GenerateMac'];

/** What the role of the ops commands may do with keys: they ask providers, and find records by hashes. */
const OF_OPERATOR = { secrets: ['psp'], macs: ['hashSecret'] } as const;

export type ServiceKeysProps = {
  readonly keepsData: boolean;
  /** Whether the stage has the role of the ops commands. */
  readonly hasOperators?: boolean;
  readonly names: ResourceNames;
};

/** The days in which the deletion of a key can be undone: on a stage that keeps its data as many as KMS allows. */
export const pendingDays = (keepsData: boolean): number => (keepsData ? 30 : 7);

/**
 * The keys of a stage. They belong to its state: sealed data is lost with its key. All are multi-Region, because a key
 * can never become that, and a second region can only open what a replica of its key can.
 *
 * A key's own policy says who may decrypt: roles by their names, as those are made later, by the service stack. An
 * administrator's right to decrypt everything does not apply, and a change of the policy leaves a trace in CloudTrail.
 */
export class ServiceKeys extends Construct {
  readonly byName: Readonly<Record<KeyName, Key>>;

  constructor(scope: Construct, id: string, { keepsData, names, hasOperators = false }: ServiceKeysProps) {
    super(scope, id);
    this.byName = recordOf(namesOf(KEYS), (name) => {
      const key = new Key(this, name, {
        description: KEYS[name],
        alias: names.keyAlias(name),
        multiRegion: true,
        policy: keyPolicy(name, names, hasOperators),
        pendingWindow: Duration.days(pendingDays(keepsData)),
        removalPolicy: keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
        ...(isMacSecret(name)
          ? { keySpec: KeySpec.HMAC_256, keyUsage: KeyUsage.GENERATE_VERIFY_MAC }
          : { enableKeyRotation: true }),
      });
      nameKey(key, name, key.keyArn, names);
      return key;
    });
  }

  grantOperator(role: IRole): void {
    grantOperatorUses(role, (key) => this.byName[key].keyArn);
  }
}

/** Where the service stack finds the key: see `KeyAccess`. */
export function nameKey(scope: Construct, name: KeyName, keyArn: string, names: ResourceNames): void {
  new StringParameter(scope, 'Arn', {
    parameterName: names.keyParameter(name),
    stringValue: keyArn,
    description: `The ARN of the key that ${KEYS[name].charAt(0).toLowerCase()}${KEYS[name].slice(1)}`,
  });
}

/** Who may do what with a key, in its own region. */
export function keyPolicy(name: KeyName, names: ResourceNames, hasOperators: boolean): PolicyDocument {
  const operator = hasOperators ? usesOf(OF_OPERATOR) : [];
  const statements = [forAccount(name), ...forFunctions(name, names), ...forOperator(name, names, operator)];
  return new PolicyDocument({ statements });
}

export const grantOperatorUses = (role: IRole, arnOf: (key: KeyName) => string): void =>
  grantUses(role, usesOf(OF_OPERATOR), arnOf);

export type KeyAccessProps = {
  readonly names: ResourceNames;
  /** Versions of the secrets of hashes. Missing: version 1 alone. */
  readonly versions?: PayforkSettings['hashVersions'];
};

/**
 * The same keys for the service stack: their ARNs by the parameters that the state stack writes, and the rights of its
 * roles. Both the key's policy and the role's must allow a use, under the same condition.
 */
export class KeyAccess extends Construct {
  readonly arns: Readonly<Record<KeyName, string>>;
  readonly #versions: KeyAccessProps['versions'];

  constructor(scope: Construct, id: string, { names, versions }: KeyAccessProps) {
    super(scope, id);
    this.#versions = versions;
    this.arns = recordOf(namesOf(KEYS), (name) =>
      StringParameter.valueForStringParameter(this, names.keyParameter(name)),
    );
  }

  grant(role: IRole, line: FunctionSettings): void {
    grantUses(role, usesOf(line), (key) => this.arns[key]);
  }

  /**
   * The variables of a function. Only the keys of hashes are named to those that use them, as a function fetches its
   * secrets when it starts.
   */
  environment({ macs }: Pick<FunctionSettings, 'macs'>): Record<string, string> {
    const sealing = namesOf(SEALING_KEY_VARIABLES).map((name) => [SEALING_KEY_VARIABLES[name], this.arns[name]]);
    const hashing = macs.map((name) => [MAC_KEY_VARIABLES[name], this.arns[name]]);
    const versions = macs.flatMap((name) => {
      const inUse = this.#versions?.[name];
      return inUse ? [[HASH_VERSION_VARIABLES[name], formatHashVersions(inUse)]] : [];
    });
    return Object.fromEntries([...sealing, ...hashing, ...versions]);
  }
}

const isMacSecret = (name: KeyName): name is MacSecretName => name in MAC_KEY_VARIABLES;

/** In a key policy `*` means the key itself. */
const forAccount = (name: KeyName): PolicyStatement =>
  new PolicyStatement({
    principals: [new AccountRootPrincipal()],
    actions: [...KEY_ADMIN_ACTIONS, ...(name === 'hashSecret' ? BOOTSTRAP_ACTIONS : [])],
    resources: ['*'],
  });

type KeyUse = {
  readonly key: KeyName;
  readonly actions: string[];
  readonly conditions?: Record<string, Record<string, string>>;
};

/** What a function's line lets it do with keys: one statement for a kind that it both opens and seals. */
function usesOf({ secrets = [], seals = [], macs }: Pick<FunctionSettings, 'secrets' | 'seals' | 'macs'>): KeyUse[] {
  const actionsOf = (kind: SealedKind) => [
    ...(secrets.includes(kind) ? ['kms:Decrypt'] : []),
    ...(seals.includes(kind) ? ['kms:GenerateDataKey'] : []),
  ];
  return [
    ...SEALED_KINDS.filter((kind) => actionsOf(kind).length > 0).map((kind) => ({
      key: KEY_OF_KIND[kind],
      actions: actionsOf(kind),
      conditions: contextOf(kind),
    })),
    ...macs.map((key) => ({ key, actions: ['kms:GenerateMac'] })),
  ];
}

function grantUses(role: IRole, uses: readonly KeyUse[], arnOf: (key: KeyName) => string): void {
  for (const { key, actions, conditions } of uses)
    role.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [arnOf(key)], conditions }));
}

/** One statement for each different use, which names the roles of all functions that have it. */
function forFunctions(key: KeyName, names: ResourceNames): PolicyStatement[] {
  const roles = new Map<string, { readonly use: KeyUse; readonly arns: string[] }>();
  for (const name of namesOf(FUNCTIONS))
    for (const use of usesOf(FUNCTIONS[name]).filter((each) => each.key === key)) {
      const known = roles.get(JSON.stringify(use)) ?? { use, arns: [] };
      known.arns.push(roleArn(name, names));
      roles.set(JSON.stringify(use), known);
    }
  return [...roles.values()].map(
    ({ use: { actions, conditions }, arns }) =>
      new PolicyStatement({
        principals: [new AccountRootPrincipal()],
        actions,
        resources: ['*'],
        conditions: { ...conditions, ArnEquals: { 'aws:PrincipalArn': arns } },
      }),
  );
}

const forOperator = (key: KeyName, names: ResourceNames, uses: readonly KeyUse[]): PolicyStatement[] =>
  uses
    .filter((use) => use.key === key)
    .map(
      ({ actions, conditions }) =>
        new PolicyStatement({
          principals: [new AccountRootPrincipal()],
          actions,
          resources: ['*'],
          conditions: { ...conditions, ArnEquals: { 'aws:PrincipalArn': [roleArn(OPERATOR, names)] } },
        }),
    );

const roleArn = (name: FunctionName | typeof OPERATOR, names: ResourceNames): string =>
  `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/${names.role(name, Aws.REGION)}`;

const ORGANIZATION = `${ID_PREFIX.organization}_*`;
const USER = `${ID_PREFIX.user}_*`;

/** Whose data keys each kind wraps. */
const OWNER_OF = recordOf(SEALED_KINDS, (kind) => (kind === 'totp' ? USER : ORGANIZATION));

/**
 * A data key belongs to one organization or user, and to one kind of secret. So a request without either, or for
 * another kind, is denied.
 */
const contextOf = (kind: SealedKind): NonNullable<KeyUse['conditions']> => ({
  StringEquals: { 'kms:EncryptionContext:kind': kind },
  StringLike: { 'kms:EncryptionContext:org_id': OWNER_OF[kind] },
});
