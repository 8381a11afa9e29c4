import { RemovalPolicy } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { FunctionSettings } from '#lib/aws/function-table.ts';
import type { StageSettings } from '#lib/aws/stages.ts';
import { type MetricEvent, metricNamespace } from '#shared/domain/reference/metrics.catalog.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { TTL_ATTRIBUTE, tableDefinition } from '#shared/store/dynamo/dynamo-schema.ts';

const READS = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const WRITES = [...READS, 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:ConditionCheckItem'];
const ACTIONS = { reads: READS, writes: WRITES, deletes: [...WRITES, 'dynamodb:DeleteItem'] };

/**
 * Lines in five minutes, at most one a second of each process. Fewer do no harm, as each call is tried up to four times.
 */
const MIN_THROTTLES = 10;

/** CloudFormation chooses the name. Everything else is the schema that the local host and the contract suite use. */
const { KeySchema, GlobalSecondaryIndexes } = tableDefinition('');

type Keys = readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];

const attribute = (keys: Keys, role: 'HASH' | 'RANGE'): Attribute => ({
  name: keys.find(({ KeyType }) => KeyType === role)?.AttributeName ?? '',
  type: AttributeType.STRING,
});

export type ServiceTableProps = {
  readonly stage: Stage;
  readonly settings: StageSettings;
  readonly alarms: ServiceAlarms;
};

/** Encrypted with DynamoDB's own key: secrets are sealed before they are stored, and no read waits for KMS (ADR 8). */
export class ServiceTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, { stage, settings, alarms }: ServiceTableProps) {
    super(scope, id);
    const { keepsData, warmThroughput } = settings;
    this.table = new Table(this, 'Table', {
      partitionKey: attribute(KeySchema, 'HASH'),
      sortKey: attribute(KeySchema, 'RANGE'),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.DEFAULT,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: TTL_ATTRIBUTE,
      warmThroughput: warmThroughput?.table,
      deletionProtection: keepsData,
      removalPolicy: keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    for (const { IndexName, KeySchema: keys } of GlobalSecondaryIndexes)
      this.table.addGlobalSecondaryIndex({
        indexName: IndexName,
        partitionKey: attribute(keys, 'HASH'),
        sortKey: attribute(keys, 'RANGE'),
        projectionType: ProjectionType.KEYS_ONLY,
        warmThroughput: warmThroughput?.index,
      });
    this.#watch(stage, alarms);
  }

  /** Rights for items and index queries. Never a scan, and nothing about the table itself. */
  grant({ grantPrincipal: to }: IGrantable, { table: use }: Pick<FunctionSettings, 'table'>): void {
    const { tableArn } = this.table;
    const indexes = GlobalSecondaryIndexes.map(({ IndexName }) => `${tableArn}/index/${IndexName}`);
    to.addToPrincipalPolicy(new PolicyStatement({ actions: ACTIONS[use], resources: [tableArn] }));
    to.addToPrincipalPolicy(new PolicyStatement({ actions: ['dynamodb:Query'], resources: indexes }));
  }

  #watch(stage: Stage, alarms: ServiceAlarms): void {
    const throttled = (metricName: MetricEvent) =>
      new Metric({ namespace: metricNamespace(stage), metricName, statistic: 'Sum', period: ALARM_PERIOD });
    const common = { severity: 'page', above: MIN_THROTTLES, lasting: { bad: 2, of: 3 } } as const;
    alarms.watch('table-throttles', {
      ...common,
      metric: throttled('table_throttled'),
      description:
        'The table turns requests away: it or one of its indexes gets more than it takes. The lines table_throttled ' +
        'say which, and for which limit.',
    });
    alarms.watch('hot-keys', {
      ...common,
      metric: throttled('key_range_throttled'),
      description:
        'One partition of the table or of an index gets more than a partition takes. The lines key_range_throttled ' +
        'say where, and items of which kind.',
    });
  }
}
