import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { CfnAlias, CfnReplicaKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import {
  grantOperatorUses,
  KEYS,
  type KeyName,
  keyPolicy,
  nameKey,
  pendingDays,
  type ServiceKeysProps,
} from '#lib/aws/constructs/keys.construct.ts';
import { namesOf, recordOf } from '#lib/aws/function-table.ts';
import type { StandbySettings } from '#lib/aws/standby-settings.ts';

export type ReplicaKeysProps = ServiceKeysProps & {
  /** Where the first keys are, and their ids, which are the same in every region. */
  readonly standby: Pick<StandbySettings, 'of' | 'keys'>;
};

/**
 * The keys of a stage in its second region: the same key material under the same ids, so that what one region has sealed
 * the other opens, and a hash is the same in both. Alias, parameter and policy are the region's own: they name its roles.
 */
export class ReplicaKeys extends Construct {
  readonly arns: Readonly<Record<KeyName, string>>;

  constructor(scope: Construct, id: string, { names, keepsData, hasOperators = false, standby }: ReplicaKeysProps) {
    super(scope, id);
    this.arns = recordOf(namesOf(KEYS), (name) => {
      const key = new CfnReplicaKey(this, name, {
        primaryKeyArn: Stack.of(this).formatArn({
          service: 'kms',
          region: standby.of,
          resource: 'key',
          resourceName: standby.keys[name],
          arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
        }),
        description: KEYS[name],
        keyPolicy: keyPolicy(name, names, hasOperators),
        pendingWindowInDays: pendingDays(keepsData),
      });
      key.applyRemovalPolicy(keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY);
      new CfnAlias(key, 'Alias', { aliasName: names.keyAlias(name), targetKeyId: key.attrKeyId });
      nameKey(key, name, key.attrArn, names);
      return key.attrArn;
    });
  }

  grantOperator(role: IRole): void {
    grantOperatorUses(role, (key) => this.arns[key]);
  }
}
