import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * The finding of cdk-nag about a resource with a wildcard in a role's policy, to acknowledge it. In it everything that
 * CloudFormation fills in is `<AWS::Region>` or `<LogicalId.Arn>`, which depends on whether the stage's settings name
 * its account and region.
 */
export const wildcardFinding = (scope: Construct, resource: string): string =>
  `AwsSolutions-IAM5[Resource::${written(Stack.of(scope).resolve(resource))}]`;

type Part = string | { readonly [intrinsic: string]: unknown };

function written(part: Part): string {
  if (typeof part === 'string') return part;
  const { Ref: reference, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = part;
  if (Array.isArray(attribute)) return `<${attribute.join('.')}>`;
  if (Array.isArray(joined)) return joined[1].map(written).join(joined[0]);
  return `<${String(reference)}>`;
}
