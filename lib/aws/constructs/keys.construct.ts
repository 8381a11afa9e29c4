import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRootPrincipal, type IRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { FunctionSettings } from '#lib/aws/function-table.ts';
import type { StageSettings } from '#lib/aws/stages.ts';
import { ID_PREFIX } from '#shared/kernel/ids.ts';
import type { MacSecretName } from '#shared/ports/deps.ts';
import type { SealingKey } from '#shared/ports/vault.port.ts';

/** Administering a key is all that the account's own policies can allow. None of these actions decrypts anything. */
const KEY_ADMIN_ACTIONS = [
  'kms:CancelKeyDeletion',
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
  'kms:RotateKeyOnDemand',
  'kms:ScheduleKeyDeletion',
  'kms:TagResource',
  'kms:UntagResource',
  'kms:UpdateKeyDescription',
];

/**
 * Sealed data is lost with its key. On stages that keep their data, a deletion can be undone for as long as KMS allows.
 */
const deletionWindow = ({ keepsData }: StageSettings): Duration => Duration.days(keepsData ? 30 : 7);

/**
 * The operator who deploys creates the first API key, which needs the stage's hash secret. So the account's policies
 * decide who may use that key. They do not for the other keys of hashes.
 */
const BOOTSTRAP_ACTIONS = ['kms:GenerateMac'];

/**
 * Only the keys' own policies say who may decrypt. An administrator's right to decrypt everything does not apply here,
 * and a change of the policy leaves a trace in CloudTrail.
 */
export class ServiceKeys extends Construct {
  readonly sealing: Readonly<Record<SealingKey, Key>>;
  readonly hashing: Readonly<Record<MacSecretName, Key>>;

  constructor(scope: Construct, id: string, settings: StageSettings) {
    super(scope, id);
    const removalPolicy = settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const common = { pendingWindow: deletionWindow(settings), removalPolicy };
    const sealingKey = (key: string, description: string) =>
      new Key(this, key, { ...common, enableKeyRotation: true, policy: accountPolicy(KEY_ADMIN_ACTIONS), description });
    this.sealing = {
      psp: sealingKey('Psp', 'Encrypts PSP credentials and payment methods'),
      integration: sealingKey('Integration', 'Encrypts the secrets of workflow integrations'),
      // Once it sealed the other two as well. Under another name it would be replaced, and what it sealed lost.
      signing: sealingKey('Own', 'Encrypts signing secrets of webhooks'),
      answer: sealingKey('Answer', 'Encrypts stored responses that contain a secret'),
      totp: sealingKey('Totp', 'Encrypts secrets of authenticator apps'),
    };
    const hashingKey = (key: string, actions: string[], description: string) =>
      new Key(this, key, {
        ...common,
        policy: accountPolicy(actions),
        keySpec: KeySpec.HMAC_256,
        keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
        description,
      });
    const bootstrapping = [...KEY_ADMIN_ACTIONS, ...BOOTSTRAP_ACTIONS];
    this.hashing = {
      hashSecret: hashingKey('Hashing', bootstrapping, 'Derives the hash secret; never rotates'),
      tokenSecret: hashingKey('Token', KEY_ADMIN_ACTIONS, 'Derives the secret of tokens; never rotates'),
      recoverySecret: hashingKey('Recovery', KEY_ADMIN_ACTIONS, 'Derives the secret of recovery codes; never rotates'),
    };
  }

  grant(role: IRole, { secrets = [], seals, macs }: Pick<FunctionSettings, 'secrets' | 'seals' | 'macs'>): void {
    const actions = ['kms:Decrypt', ...(seals ? ['kms:GenerateDataKey'] : [])];
    for (const name of secrets) this.sealing[name].addToResourcePolicy(allowFor(OWNER_OF[name], role, actions));
    // Secrets of apps that this key sealed before they had their own.
    if (secrets.includes('totp')) this.sealing.signing.addToResourcePolicy(allowFor(USER, role, ['kms:Decrypt']));
    for (const name of macs)
      this.hashing[name].addToResourcePolicy(
        new PolicyStatement({ principals: [role], actions: ['kms:GenerateMac'], resources: ['*'] }),
      );
  }
}

/** In a key policy `*` means the key itself. */
const accountPolicy = (actions: string[]): PolicyDocument =>
  new PolicyDocument({
    statements: [new PolicyStatement({ principals: [new AccountRootPrincipal()], actions, resources: ['*'] })],
  });

const ORGANIZATION = `${ID_PREFIX.organization}_*`;
const USER = `${ID_PREFIX.user}_*`;

/** Whose data keys each key wraps. */
const OWNER_OF: Readonly<Record<SealingKey, string>> = {
  psp: ORGANIZATION,
  integration: ORGANIZATION,
  signing: ORGANIZATION,
  answer: ORGANIZATION,
  totp: USER,
};

/** A data key belongs to one organization or user, so a request without `org_id`, or for the other kind, is denied. */
const allowFor = (owner: string, role: IRole, actions: string[]): PolicyStatement =>
  new PolicyStatement({
    principals: [role],
    actions,
    resources: ['*'],
    conditions: { StringLike: { 'kms:EncryptionContext:org_id': owner } },
  });
