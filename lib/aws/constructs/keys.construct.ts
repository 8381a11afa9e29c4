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
 * Nothing sealed can be opened without its key. Where data is kept, a deletion can be called off for as long as KMS
 * allows.
 */
const pendingWindow = ({ keepsData }: StageSettings): Duration => Duration.days(keepsData ? 30 : 7);

/**
 * Whoever deploys creates the first API key, with the stage's own hash secret. So for this key the account's policies
 * decide.
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
    const common = { pendingWindow: pendingWindow(settings), removalPolicy };
    const sealing = (key: string, description: string) =>
      new Key(this, key, { ...common, enableKeyRotation: true, policy: accountPolicy(KEY_ADMIN_ACTIONS), description });
    this.sealing = {
      psp: sealing('Psp', 'Seals credentials at PSPs, and payment methods'),
      integration: sealing('Integration', 'Seals what opens other servers, for workflows'),
      own: sealing('Own', 'Seals signing secrets, secrets of second factors, and answers that hold a secret'),
    };
    this.hashing = new Key(this, 'Hashing', {
      ...common,
      policy: accountPolicy([...KEY_ADMIN_ACTIONS, ...BOOTSTRAP_ACTIONS]),
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      description: 'Makes the hash secret; never rotates',
    });
  }

  grant(role: IRole, { secrets = [], seals }: Pick<FunctionSettings, 'secrets' | 'seals'>): void {
    const uses = ['kms:Decrypt', ...(seals ? ['kms:GenerateDataKey'] : [])];
    for (const name of secrets) this.sealing[name].addToResourcePolicy(allowForOrganizations(role, uses));
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

/** A data key belongs to one organization. A request without an organization is not ours and is refused. */
const allowForOrganizations = (role: IRole, actions: string[]): PolicyStatement =>
  new PolicyStatement({
    principals: [role],
    actions,
    resources: ['*'],
    conditions: { Null: { 'kms:EncryptionContext:org_id': 'false' } },
  });
