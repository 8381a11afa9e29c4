import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRootPrincipal, type IRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { FunctionLine } from '#lib/aws/function-table.ts';
import type { StageSettings } from '#lib/aws/stages.ts';
import type { SealingKey } from '#shared/adapters/vault/vault-by-purpose.adapter.ts';

/** Looking after a key, which is all the account's own policies can allow: none of these opens anything. */
const CARE = [
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
 * Without its key nothing sealed opens again: where data is kept, a deletion can be called off for as long as KMS
 * allows.
 */
const pendingWindow = ({ keepsData }: StageSettings): Duration => Duration.days(keepsData ? 30 : 7);

/**
 * The first API key is made by whoever deploys, with the same hash secret as all that follow: here, policies of the
 * account decide.
 */
const BOOTSTRAP = ['kms:GenerateMac'];

/**
 * Who may open what is sealed stands in the keys' own policies, and there alone: an administrator's right to decrypt
 * everything opens nothing here, and whoever changes that leaves a trace in CloudTrail.
 */
export class ServiceKeys extends Construct {
  readonly sealing: Readonly<Record<SealingKey, Key>>;
  readonly hashing: Key;

  constructor(scope: Construct, id: string, settings: StageSettings) {
    super(scope, id);
    const removalPolicy = settings.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const common = { pendingWindow: pendingWindow(settings), removalPolicy };
    const sealing = (key: string, description: string) =>
      new Key(this, key, { ...common, enableKeyRotation: true, policy: ofAccount(CARE), description });
    this.sealing = {
      psp: sealing('Psp', 'Seals credentials at PSPs, and payment methods'),
      integration: sealing('Integration', 'Seals what opens other servers, for workflows'),
      own: sealing('Own', 'Seals signing secrets, secrets of second factors, and answers that hold a secret'),
    };
    this.hashing = new Key(this, 'Hashing', {
      ...common,
      policy: ofAccount([...CARE, ...BOOTSTRAP]),
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      description: 'Makes the hash secret; never rotates',
    });
  }

  grant(role: IRole, { secrets = [], seals }: Pick<FunctionLine, 'secrets' | 'seals'>): void {
    const uses = ['kms:Decrypt', ...(seals ? ['kms:GenerateDataKey'] : [])];
    for (const name of secrets) this.sealing[name].addToResourcePolicy(forOrganizations(role, uses));
    this.hashing.addToResourcePolicy(
      new PolicyStatement({ principals: [role], actions: ['kms:GenerateMac'], resources: ['*'] }),
    );
  }
}

/** Within a key's policy `*` is the key. */
const ofAccount = (actions: string[]): PolicyDocument =>
  new PolicyDocument({
    statements: [new PolicyStatement({ principals: [new AccountRootPrincipal()], actions, resources: ['*'] })],
  });

/** A data key is made for one organization and opened for no other; one for nobody is not ours. */
const forOrganizations = (role: IRole, actions: string[]): PolicyStatement =>
  new PolicyStatement({
    principals: [role],
    actions,
    resources: ['*'],
    conditions: { Null: { 'kms:EncryptionContext:org_id': 'false' } },
  });
