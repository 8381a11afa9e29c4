import { Aws, Duration, type RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  ContributorInsightsMode,
  type ContributorInsightsSpecification,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { AccountRootPrincipal, AnyPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { KEY_ADMIN_ACTIONS } from '#lib/aws/constructs/keys.construct.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import type { StageSettings } from '#lib/aws/stages.ts';
import { TTL_ATTRIBUTE, tableDefinition } from '#shared/store/dynamo/dynamo-schema.ts';

/** Everything but the name is the schema that the local host and the contract suite use. */
const { KeySchema, GlobalSecondaryIndexes } = tableDefinition('');

type Keys = readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];
type TableOptions = NonNullable<PayforkSettings['tableOptions']>;

const attribute = (keys: Keys, role: 'HASH' | 'RANGE'): Attribute => ({
  name: keys.find(({ KeyType }) => KeyType === role)?.AttributeName ?? '',
  type: AttributeType.STRING,
});

export type ServiceTableProps = {
  readonly names: ResourceNames;
  readonly settings: StageSettings;
  readonly removalPolicy: RemovalPolicy;
  readonly options?: TableOptions | undefined;
};

/**
 * The one table, as a global table of one region, which can get replicas later without being made anew. Encrypted with
 * DynamoDB's own key, unless the deployment asks for ours (ADR 43).
 */
export class ServiceTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, { names, settings, removalPolicy, options = {} }: ServiceTableProps) {
    super(scope, id);
    const { keepsData, warmThroughput } = settings;
    const insights = options.throttledKeys && { contributorInsightsSpecification: THROTTLED_KEYS };
    this.table = new TableV2(this, 'Table', {
      tableName: names.table,
      partitionKey: attribute(KeySchema, 'HASH'),
      sortKey: attribute(KeySchema, 'RANGE'),
      billing: Billing.onDemand(),
      encryption: this.#encryption(settings, removalPolicy, options),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: TTL_ATTRIBUTE,
      deletionProtection: keepsData,
      removalPolicy,
      ...insights,
      ...(warmThroughput && { warmThroughput: warmThroughput.table }),
      globalSecondaryIndexes: GlobalSecondaryIndexes.map(({ IndexName, KeySchema: keys }) => ({
        indexName: IndexName,
        partitionKey: attribute(keys, 'HASH'),
        sortKey: attribute(keys, 'RANGE'),
        projectionType: ProjectionType.KEYS_ONLY,
        ...insights,
        ...(warmThroughput && { warmThroughput: warmThroughput.index }),
      })),
      replicas: (options.replicas ?? []).map(({ region }) => ({ region })),
    });
    nameStream(this, names, this.table.tableStreamArn ?? '');
  }

  #encryption(settings: StageSettings, removalPolicy: RemovalPolicy, options: TableOptions): TableEncryptionV2 {
    if (!options.customerKey) return TableEncryptionV2.dynamoOwnedKey();
    const key = new Key(this, 'Key', {
      description: 'Encrypts the table',
      enableKeyRotation: true,
      pendingWindow: Duration.days(settings.keepsData ? 30 : 7),
      removalPolicy,
      policy: throughDynamoDb(),
    });
    const elsewhere = (options.replicas ?? []).flatMap(({ region, keyArn }) => (keyArn ? [[region, keyArn]] : []));
    return TableEncryptionV2.customerManagedKey(key, Object.fromEntries(elsewhere));
  }
}

/** Where the service stack finds the table's stream. */
export function nameStream(scope: Construct, names: ResourceNames, streamArn: string): void {
  new StringParameter(scope, 'Stream', {
    parameterName: names.streamParameter,
    stringValue: streamArn,
    description: "The table's stream, whose name AWS chooses",
  });
}

/** Counts only what was throttled: it costs nothing while nothing is. */
const THROTTLED_KEYS: ContributorInsightsSpecification = {
  enabled: true,
  mode: ContributorInsightsMode.THROTTLED_KEYS,
};

/** Whoever may read the table reads through this key, and by no other way. So functions need no right of their own. */
function throughDynamoDb(): PolicyDocument {
  const administer = new PolicyStatement({
    principals: [new AccountRootPrincipal()],
    actions: [...KEY_ADMIN_ACTIONS],
    resources: ['*'],
  });
  const use = new PolicyStatement({
    principals: [new AnyPrincipal()],
    actions: [
      'kms:CreateGrant',
      'kms:Decrypt',
      'kms:DescribeKey',
      'kms:Encrypt',
      'kms:GenerateDataKey',
      'kms:GenerateDataKeyWithoutPlaintext',
      'kms:ReEncryptFrom',
      'kms:ReEncryptTo',
    ],
    resources: ['*'],
    conditions: {
      StringEquals: {
        'kms:CallerAccount': Aws.ACCOUNT_ID,
        'kms:ViaService': `dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}`,
      },
    },
  });
  return new PolicyDocument({ statements: [administer, use] });
}
