import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import type { FunctionLine } from '#lib/aws/function-table.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

export type ServiceMailProps = {
  /** The address that mail comes from. SES must have verified it, or its domain. Without one nothing is sent. */
  readonly from: string | undefined;
};

/** What SES asks of whoever sends mail: an identity, which the account has verified by hand. */
export class ServiceMail extends Construct {
  readonly #from: string | undefined;

  constructor(scope: Construct, id: string, { from }: ServiceMailProps) {
    super(scope, id);
    this.#from = from;
  }

  /**
   * From this address and no other. The most particular identity that there is decides: the address, or else its
   * domain.
   */
  grant({ lambda, role }: Pick<ServiceFunction, 'lambda' | 'role'>, { mails }: Pick<FunctionLine, 'mails'>): void {
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

/** Whose address it is, only whoever deploys can say: `-c live_mail_from=payments@example.com`. */
export const mailFrom = (scope: Construct, stage: Stage): string | undefined =>
  scope.node.tryGetContext(`${stage}_mail_from`);
