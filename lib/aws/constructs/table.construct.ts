import { RemovalPolicy } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
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
import { TTL_ATTRIBUTE, tableDefinition } from '#shared/store/dynamo/dynamo-schema.ts';

const READS = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const WRITES = [...READS, 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:ConditionCheckItem'];
const ACTIONS = { reads: READS, writes: WRITES, deletes: [...WRITES, 'dynamodb:DeleteItem'] };

/** In five minutes. Fewer do no harm, as each call is tried up to four times. */
const MIN_THROTTLES = 10;

/** CloudFormation chooses the name. Everything else is the schema that the local host and the contract suite use. */
const { KeySchema, GlobalSecondaryIndexes } = tableDefinition('');

type Keys = readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];

const attribute = (keys: Keys, role: 'HASH' | 'RANGE'): Attribute => ({
  name: keys.find(({ KeyType }) => KeyType === role)?.AttributeName ?? '',
  type: AttributeType.STRING,
});

export type ServiceTableProps = { readonly settings: StageSettings; readonly alarms: ServiceAlarms };

/** Encrypted with DynamoDB's own key: secrets are sealed before they are stored, and no read waits for KMS (ADR 8). */
export class ServiceTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, { settings: { keepsData }, alarms }: ServiceTableProps) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      partitionKey: attribute(KeySchema, 'HASH'),
      sortKey: attribute(KeySchema, 'RANGE'),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.DEFAULT,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: TTL_ATTRIBUTE,
      deletionProtection: keepsData,
      removalPolicy: keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    for (const { IndexName, KeySchema: keys } of GlobalSecondaryIndexes)
      this.table.addGlobalSecondaryIndex({
        indexName: IndexName,
        partitionKey: attribute(keys, 'HASH'),
        sortKey: attribute(keys, 'RANGE'),
        projectionType: ProjectionType.KEYS_ONLY,
      });
    this.#watch(alarms);
  }

  /** Rights for items and index queries. Never a scan, and nothing about the table itself. */
  grant({ grantPrincipal: to }: IGrantable, { table: use }: Pick<FunctionSettings, 'table'>): void {
    const { tableArn } = this.table;
    const indexes = GlobalSecondaryIndexes.map(({ IndexName }) => `${tableArn}/index/${IndexName}`);
    to.addToPrincipalPolicy(new PolicyStatement({ actions: ACTIONS[use], resources: [tableArn] }));
    to.addToPrincipalPolicy(new PolicyStatement({ actions: ['dynamodb:Query'], resources: indexes }));
  }

  #watch(alarms: ServiceAlarms): void {
    const lasting = { bad: 2, of: 3 };
    alarms.watch('table-throttles', {
      severity: 'page',
      metric: this.#ofAllOperations('ThrottledRequests'),
      above: MIN_THROTTLES,
      lasting,
      description:
        'The table turns requests away: it, one of its indexes or one key gets more than it takes. The dashboard ' +
        'shows which index.',
    });
    alarms.watch('table-errors', {
      severity: 'page',
      metric: this.#ofAllOperations('SystemErrors'),
      above: MIN_THROTTLES,
      lasting,
      description: 'The table fails, which is trouble of AWS; see its health dashboard.',
    });
  }

  /**
   * DynamoDB publishes throttles per operation, and only when there are any. A search adds up those that exist; metric
   * math has no value if one is missing.
   */
  #ofAllOperations(metric: string): IMetric {
    const expression =
      `SELECT SUM(${metric}) FROM SCHEMA("AWS/DynamoDB", Operation, TableName) WHERE TableName = ` +
      `'${this.table.tableName}'`;
    return new MathExpression({ expression, period: ALARM_PERIOD, label: metric });
  }
}
