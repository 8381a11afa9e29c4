import { Annotations, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import type { FunctionSettings } from '#lib/aws/function-table.ts';

export type ServiceMailProps = {
  /** The sender of all mail. SES must have verified the address or its domain. Without it no mail is sent. */
  readonly from: string | undefined;
};

const NO_MAIL =
  'This stage sends no mail: nobody can sign in by a mailed link or be invited, and nobody gets a receipt or a notice. ' +
  'Give it the setting mail: { from: … } in lib/aws/deployment.ts, once SES has verified the address or its domain.';

/** SES needs an identity that the account has verified by hand. */
export class ServiceMail extends Construct {
  readonly #from: string | undefined;

  constructor(scope: Construct, id: string, { from }: ServiceMailProps) {
    super(scope, id);
    this.#from = from;
    if (from === undefined) Annotations.of(this).addWarningV2('payfork:no-mail', NO_MAIL);
  }

  /** Allows this sender and no other. SES uses the most specific identity: the address, else its domain. */
  grant({ lambda, role }: Pick<ServiceFunction, 'lambda' | 'role'>, { mails }: Pick<FunctionSettings, 'mails'>): void {
    if (!mails || this.#from === undefined) return;
    lambda.addEnvironment('MAIL_FROM', this.#from);
    const identity = (resourceName: string) =>
      Stack.of(this).formatArn({ service: 'ses', resource: 'identity', resourceName });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['ses:SendEmail'],
        resources: [identity(this.#from), identity(this.#from.slice(this.#from.lastIndexOf('@') + 1))],
        conditions: { StringEquals: { 'ses:FromAddress': this.#from } },
      }),
    );
  }
}
