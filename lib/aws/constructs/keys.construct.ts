import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRootPrincipal, type IRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { FunctionSettings } from '#lib/aws/function-table.ts';
import type { StageSettings } from '#lib/aws/stages.ts';
import type { SealingKey } from '#shared/adapters/vault/vault-by-purpose.adapter.ts';

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
 * decide who may use this key.
 */
const BOOTSTRAP_ACTIONS = ['kms:GenerateMac'];

/**
 * Only the keys' own policies say who may decrypt. An administrator's right to decrypt everything does not apply here,
 * and a change of the policy leaves a trace in CloudTrail.
 */
export class ServiceKeys extends Construct {
  readonly sealing: Readonly<Record<SealingKey, Key>>;
  readonly hashing: Key;

  constructor(scope: Construct, id: string, settings: StageSettings) {
    super(scope, id);
    const removalPolicy = settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const common = { pendingWindow: deletionWindow(settings), removalPolicy };
    const sealingKey = (key: string, description: string) =>
      new Key(this, key, { ...common, enableKeyRotation: true, policy: accountPolicy(KEY_ADMIN_ACTIONS), description });
    this.sealing = {
      psp: sealingKey('Psp', 'Encrypts PSP credentials and payment methods'),
      integration: sealingKey('Integration', 'Encrypts the secrets of workflow integrations'),
      own: sealingKey('Own', 'Encrypts signing secrets, TOTP secrets, and stored responses that contain a secret'),
    };
    this.hashing = new Key(this, 'Hashing', {
      ...common,
      policy: accountPolicy([...KEY_ADMIN_ACTIONS, ...BOOTSTRAP_ACTIONS]),
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      description: 'Derives the hash secret; never rotates',
    });
  }

  grant(role: IRole, { secrets = [], seals }: Pick<FunctionSettings, 'secrets' | 'seals'>): void {
    const actions = ['kms:Decrypt', ...(seals ? ['kms:GenerateDataKey'] : [])];
    for (const name of secrets) this.sealing[name].addToResourcePolicy(allowForOrganizations(role, actions));
    this.hashing.addToResourcePolicy(
      new PolicyStatement({ principals: [role], actions: ['kms:GenerateMac'], resources: ['*'] }),
    );
  }
}

/** In a key policy `*` means the key itself. */
const accountPolicy = (actions: string[]): PolicyDocument =>
  new PolicyDocument({
    statements: [new PolicyStatement({ principals: [new AccountRootPrincipal()], actions, resources: ['*'] })],
  });

/** A data key belongs to one organization, so a request without `org_id` is denied. */
const allowForOrganizations = (role: IRole, actions: string[]): PolicyStatement =>
  new PolicyStatement({
    principals: [role],
    actions,
    resources: ['*'],
    conditions: { Null: { 'kms:EncryptionContext:org_id': 'false' } },
  });
