import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, PCIDSS321Checks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** cdk-nag's rules: those of AWS for any solution and for serverless ones, and those for card data (PCI DSS 3.2.1). */
const PACKS = [AwsSolutionsChecks, ServerlessChecks, PCIDSS321Checks];

/** Every synthesis runs the checks. An exception is written next to its resource, with its reason. */
export function addChecks(app: App): void {
  Validations.of(app).addPlugins(...PACKS.map((Pack) => new Pack(app)));
}

/** A rule that is broken on purpose, by the name that the report gives it. */
export function acceptFinding(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id, reason });
}

/** For every role: a policy of its own shows in one place what it may do, and goes when the role goes. */
export function acceptOwnPolicy(role: IConstruct): void {
  acceptFinding(
    role,
    'PCI.DSS.321-IAMNoInlinePolicy',
    'The policy belongs to this role alone. A managed one could be attached to others, and would outlive it.',
  );
}
