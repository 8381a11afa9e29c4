import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import type { TableRights } from '#lib/aws/table-rights.ts';
import type { MetricEvent } from '#shared/domain/reference/metrics.catalog.ts';
import { TABLE_ACTS, type TableAct } from '#shared/store/table/write.rules.ts';

/** What DynamoDB calls each act. Every item of a transaction needs the permission for what is done to it. */
const ACTIONS: Readonly<Record<TableAct, readonly string[]>> = {
  get: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
  query: ['dynamodb:Query'],
  put: ['dynamodb:PutItem'],
  update: ['dynamodb:UpdateItem'],
  delete: ['dynamodb:DeleteItem'],
  check: ['dynamodb:ConditionCheckItem'],
};

/**
 * Lines in five minutes, at most one a second of each process. Fewer do no harm, as each call is tried up to four times.
 */
const MIN_THROTTLES = 10;

export type TableAccessProps = {
  readonly names: ResourceNames;
  readonly alarms: ServiceAlarms;
  /** A restored table, in place of the state stack's. */
  readonly restored?: PayforkSettings['table'];
};

/** The table as the service stack knows it: by name. The state stack makes it, or it was restored from a backup. */
export class TableAccess extends Construct {
  readonly table: ITableV2;

  constructor(scope: Construct, id: string, { names, alarms, restored }: TableAccessProps) {
    super(scope, id);
    this.table = TableV2.fromTableAttributes(this, 'Table', {
      tableName: restored?.name ?? names.table,
      tableStreamArn: restored?.streamArn ?? StringParameter.valueForStringParameter(this, names.streamParameter),
    });
    this.#watch(names.metrics, alarms);
  }

  /**
   * What the function's line of the rights table lists, and nothing else: families of items by the beginning of their
   * partition keys. Never a scan, and nothing about the table itself.
   */
  grant(role: IGrantable, { index = {}, ...acts }: TableRights): void {
    const { tableArn } = this.table;
    for (const act of TABLE_ACTS) this.#allow(role, ACTIONS[act], tableArn, acts[act]);
    for (const [name, families] of Object.entries(index))
      this.#allow(role, ACTIONS.query, `${tableArn}/index/${name}`, families);
  }

  #allow(
    { grantPrincipal }: IGrantable,
    actions: readonly string[],
    resource: string,
    families: readonly string[] = [],
  ) {
    if (families.length === 0) return;
    // A call that names several keys needs all of them to be allowed.
    const conditions = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': families.map(patternOf) } };
    grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions: [...actions], resources: [resource], conditions }),
    );
  }

  #watch(namespace: string, alarms: ServiceAlarms): void {
    const throttled = (metricName: MetricEvent) =>
      new Metric({ namespace, metricName, statistic: 'Sum', period: ALARM_PERIOD });
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

/** `PAY#` stands for `PAY#…`, and `org_` for `org_…`. Nothing follows `PLATFORM`. */
export const patternOf = (family: string): string => (/[#_]$/.test(family) ? `${family}*` : family);
