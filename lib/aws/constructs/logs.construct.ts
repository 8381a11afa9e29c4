import type { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acceptFinding } from '#lib/aws/checks.ts';
import { FUNCTIONS, namesOf } from '#lib/aws/function-table.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import type { StageSettings } from '#lib/aws/stages.ts';

export type ServiceLogsProps = {
  readonly names: ResourceNames;
  readonly settings: StageSettings;
  readonly removalPolicy: RemovalPolicy;
};

/** The log of each function and of the API. No function may create one, so that none is left that nobody knows of. */
export class ServiceLogs extends Construct {
  constructor(scope: Construct, id: string, { names, settings, removalPolicy }: ServiceLogsProps) {
    super(scope, id);
    const common = { retention: settings.logRetention, removalPolicy };
    for (const name of namesOf(FUNCTIONS)) new LogGroup(this, name, { ...common, logGroupName: names.logGroup(name) });
    new LogGroup(this, 'access', { ...common, logGroupName: names.accessLog });
    acceptFinding(
      this,
      'PCI.DSS.321-CloudWatchLogGroupEncrypted',
      'CloudWatch encrypts every log with a key of its own. Logs hold no secret and no card number, which tests assert.',
    );
  }
}
