import { Aws } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';

export type BackupAlarmsProps = {
  /** The table's name, which is another one after a restore. */
  readonly table: string;
  readonly alarms: ServiceAlarms;
};

/**
 * A copy of the table that could not be made. AWS Backup tells nobody by itself, and a copy is only missed when it is
 * needed. It lies in the state stack, but who is notified is known here.
 */
export class BackupAlarms extends Construct {
  constructor(scope: Construct, id: string, { table, alarms }: BackupAlarmsProps) {
    super(scope, id);
    alarms.onEvent('backup-failing', {
      severity: 'look',
      pattern: {
        source: ['aws.backup'],
        detailType: ['Backup Job State Change', 'Copy Job State Change'],
        detail: {
          state: ['ABORTED', 'EXPIRED', 'FAILED'],
          resourceArn: [`arn:${Aws.PARTITION}:dynamodb:${Aws.REGION}:${Aws.ACCOUNT_ID}:table/${table}`],
        },
      },
      description: 'A backup of the table, or its copy elsewhere, was not made: statusMessage of the event says why.',
    });
  }
}
