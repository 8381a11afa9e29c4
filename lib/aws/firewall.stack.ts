import { CfnOutput, Stack } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { acceptFinding } from '#lib/aws/checks.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';

/** CloudFront takes firewalls and certificates of this region alone. */
export const FRONT_REGION = 'us-east-1';

/** Requests of one address in five minutes. Many customers of a mobile network share an address, so pages have more. */
const LIMITS = { signIn: 100, pages: 2_000, strangers: 1_000 } as const;
const WINDOW_SECONDS = 300;

/**
 * The firewall of a front: rate limits by address for what needs no credential. Whoever sends a key or a session is
 * counted by the service itself, and a shop's server may send thousands of requests from one address. Callbacks have no
 * limit: a provider sends all of them from a few addresses, and the service verifies each.
 */
export class FirewallStack extends Stack {
  constructor(scope: Construct, { name, env }: PayforkSettings) {
    super(scope, `${name}Firewall`, {
      description: 'payfork, firewall of the front',
      env: { region: FRONT_REGION, ...(env && { account: env.account }) },
    });
    const firewall = new CfnWebACL(this, 'Firewall', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visibility(`${name}Firewall`),
      rules: [
        rateRule('sign-in', 0, LIMITS.signIn, anyOf(['/v1/auth/', '/sign-in', '/account-link'].map(startsWith))),
        rateRule('pages', 1, LIMITS.pages, startsWith('/pay/')),
        rateRule(
          'strangers',
          2,
          LIMITS.strangers,
          allOf([not(startsWith('/webhooks/')), not(startsWith('/pay/')), ...NO_CREDENTIAL]),
        ),
      ],
    });
    acceptFinding(
      firewall,
      'PCI.DSS.321-WAFv2LoggingEnabled',
      'Its log would hold query strings and headers, where tokens and keys are. Metrics count what each rule refuses.',
    );
    new CfnOutput(this, 'WebAclArn', { value: firewall.attrArn });
  }
}

type Statement = CfnWebACL.StatementProperty;

const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // Samples would show headers, with keys in them.
  sampledRequestsEnabled: false,
});

/** Refuses an address for as long as it sends more than this. */
const rateRule = (name: string, priority: number, limit: number, scopeDownStatement: Statement) => ({
  name,
  priority,
  action: { block: { customResponse: { responseCode: 429 } } },
  visibilityConfig: visibility(name),
  statement: {
    rateBasedStatement: {
      limit,
      evaluationWindowSec: WINDOW_SECONDS,
      aggregateKeyType: 'IP',
      scopeDownStatement,
    },
  },
});

const AS_IT_IS = [{ priority: 0, type: 'NONE' }];

const startsWith = (searchString: string): Statement => ({
  byteMatchStatement: {
    searchString,
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'STARTS_WITH',
    textTransformations: AS_IT_IS,
  },
});

const hasHeader = (name: string): Statement => ({
  sizeConstraintStatement: {
    // Passed on as it is: its names are CloudFormation's.
    fieldToMatch: { singleHeader: { Name: name } },
    comparisonOperator: 'GT',
    size: 0,
    textTransformations: AS_IT_IS,
  },
});

const not = (statement: Statement): Statement => ({ notStatement: { statement } });
const anyOf = (statements: readonly Statement[]): Statement => ({ orStatement: { statements: [...statements] } });
const allOf = (statements: readonly Statement[]): Statement => ({ andStatement: { statements: [...statements] } });

const NO_CREDENTIAL = ['authorization', 'x-service-key', 'cookie'].map((name) => not(hasHeader(name)));
