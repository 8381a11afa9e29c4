import { Aws, Duration, type RemovalPolicy } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupSelection,
  BackupVault,
  type LockConfiguration,
} from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acceptFinding, acceptOwnPolicy } from '#lib/aws/checks.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import { STAGES } from '#lib/aws/stages.ts';
import { wildcardFinding } from '#lib/aws/wildcard.ts';

type BackupSettings = Exclude<NonNullable<PayforkSettings['backup']>, 'off'>;

export type ServiceBackupProps = {
  readonly names: ResourceNames;
  readonly removalPolicy: RemovalPolicy;
  /** The table's name, which is another one after a restore. */
  readonly table: string;
  readonly settings: BackupSettings;
};

/**
 * Of a stage that can be thrown away there are none: a vault with copies could not be deleted with it. Nor of a replica,
 * as the first region's table is copied.
 */
export const backupsOf = ({
  stage,
  backup,
  standby,
}: Pick<PayforkSettings, 'stage' | 'backup' | 'standby'>): BackupSettings | 'off' =>
  backup ?? (STAGES[stage].keepsData && !standby ? {} : 'off');

/** Beside point-in-time recovery, which ends with the table: 35 days after it was deleted, AWS deletes that too. */
const DAILY = { schedule: Schedule.cron({ hour: '3', minute: '0' }), retentionDays: 35 };
const MONTHLY = { schedule: Schedule.cron({ day: '1', hour: '4', minute: '0' }), retentionDays: 365 };

/** The shortest that a lock enforces, and the days in which a compliance lock can still be taken away. */
const MIN_RETENTION = Duration.days(7);
const CHANGEABLE_FOR = Duration.days(3);

/**
 * Copies of the table that whoever deletes the table, or the stack, does not delete too. Each day for 35 days and each
 * month for a year, unless the deployment says otherwise.
 */
export class ServiceBackup extends Construct {
  readonly vault: BackupVault;

  constructor(scope: Construct, id: string, { names, removalPolicy, table, settings }: ServiceBackupProps) {
    super(scope, id);
    this.vault = new BackupVault(this, 'Vault', {
      backupVaultName: names.backupVault,
      removalPolicy,
      ...(settings.lock && { lockConfiguration: lockOf(settings.lock) }),
    });
    const plan = new BackupPlan(this, 'Plan', { backupPlanName: names.backupVault, backupVault: this.vault });
    for (const rule of rulesOf(this, settings)) plan.addRule(rule);
    const tableArn = `arn:${Aws.PARTITION}:dynamodb:${Aws.REGION}:${Aws.ACCOUNT_ID}:table/${table}`;
    new BackupSelection(this, 'Table', {
      backupPlan: plan,
      role: this.#role(tableArn, settings.copyTo),
      disableDefaultBackupPolicy: true,
      resources: [BackupResource.fromArn(tableArn)],
    });
  }

  /** Restores are made by a person, with a right of their own: this role can only make copies. */
  #role(tableArn: string, copyTo: string | undefined): Role {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('backup.amazonaws.com') });
    const allow = (actions: string[], resources: string[]) =>
      role.addToPolicy(new PolicyStatement({ actions, resources }));
    allow(
      [
        'dynamodb:CreateBackup',
        'dynamodb:DescribeContinuousBackups',
        'dynamodb:DescribeTable',
        'dynamodb:ListTagsOfResource',
        'dynamodb:StartAwsBackupJob',
      ],
      [tableArn],
    );
    const copies = `${tableArn}/backup/*`;
    allow(['dynamodb:DeleteBackup', 'dynamodb:DescribeBackup'], [copies]);
    acceptFinding(
      role,
      wildcardFinding(this, copies),
      'Copies get their names from AWS, one each day. They are copies of this one table.',
    );
    acceptOwnPolicy(role);
    const vaults = [this.vault.backupVaultArn, ...(copyTo === undefined ? [] : [copyTo])];
    allow(['backup:CopyIntoBackupVault', 'backup:DescribeBackupVault'], vaults);
    if (copyTo !== undefined) this.#copyFrom(role);
    return role;
  }

  /** A copy elsewhere is made from the one in our vault, which AWS names. */
  #copyFrom(role: Role): void {
    const made = `arn:${Aws.PARTITION}:backup:${Aws.REGION}:${Aws.ACCOUNT_ID}:recovery-point:*`;
    role.addToPolicy(new PolicyStatement({ actions: ['backup:CopyFromBackupVault'], resources: [made] }));
    acceptFinding(role, wildcardFinding(this, made), 'Copies get their names from AWS, which do not tell the vault.');
  }
}

/** `governance`: an administrator can take it away. `compliance`: nobody can, after three days. */
const lockOf = (lock: NonNullable<BackupSettings['lock']>): LockConfiguration => ({
  minRetention: MIN_RETENTION,
  ...(lock === 'compliance' && { changeableFor: CHANGEABLE_FOR }),
});

function rulesOf(
  scope: Construct,
  { dailyDays = DAILY.retentionDays, monthlyDays = MONTHLY.retentionDays, copyTo }: BackupSettings,
): readonly BackupPlanRule[] {
  const elsewhere = copyTo === undefined ? undefined : BackupVault.fromBackupVaultArn(scope, 'Elsewhere', copyTo);
  const rule = (ruleName: string, scheduleExpression: Schedule, days: number) =>
    new BackupPlanRule({
      ruleName,
      scheduleExpression,
      deleteAfter: Duration.days(days),
      ...(elsewhere && { copyActions: [{ destinationBackupVault: elsewhere, deleteAfter: Duration.days(days) }] }),
    });
  return [rule('daily', DAILY.schedule, dailyDays), rule('monthly', MONTHLY.schedule, monthlyDays)];
}
