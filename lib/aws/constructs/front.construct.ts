import { Duration, Fn, SecretValue, Stack } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct, type IDependable } from 'constructs';
import { acceptFinding } from '#lib/aws/checks.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { FRONT_HEADERS } from '#shared/http/behind-front.ts';

export type FrontSettings = NonNullable<PayforkSettings['front']>;

export type FrontProps = {
  readonly front: FrontSettings;
  readonly api: IHttpApi;
  /** The function URL: callbacks get through where the API's own limits would refuse them. */
  readonly callbackUrl: string;
  /** Functions that must know a new secret before the front sends it. */
  readonly after: readonly IDependable[];
};

/** API Gateway answers within 30 s. The front waits longer than that, so that it is never the one to give up. */
const READ_TIMEOUT = Duration.seconds(60);

/** At the edge: tells who the caller is. It overwrites what the caller may have written there. */
const VIEWER_FUNCTION = `function handler(event) {
  var request = event.request;
  request.headers['${FRONT_HEADERS.viewer}'] = { value: event.viewer.ip };
  return request;
}`;

/**
 * CloudFront before the API and the function URL, under one name, with the firewall that the settings name. Both origins
 * take requests with the front's secret only. No origin access control: that would refuse callbacks (ADR 47).
 */
export class Front extends Construct {
  /** The address that the domain's DNS record must point to. */
  readonly target: string;

  constructor(scope: Construct, id: string, { front, api, callbackUrl, after }: FrontProps) {
    super(scope, id);
    const viewer = new EdgeFunction(this, 'Viewer', {
      code: FunctionCode.fromInline(VIEWER_FUNCTION),
      runtime: FunctionRuntime.JS_2_0,
      comment: "Writes the caller's address into a header",
    });
    const common: BehaviorOptions = {
      origin: originAt(hostOf(api.apiEndpoint), front),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      // Not a redirect: a secret that was sent without encryption must not work.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: viewer }],
    };
    const document: BehaviorOptions = {
      ...common,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
      cachePolicy: this.#cache('Document', 'The API documents', Duration.minutes(5)),
    };
    const distribution = new Distribution(this, 'Distribution', {
      comment: `payfork ${Stack.of(this).stackName}`,
      domainNames: [front.domain],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', front.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      webAclId: front.webAclArn,
      defaultBehavior: common,
      additionalBehaviors: {
        '/webhooks/*': { ...common, origin: originAt(hostOf(callbackUrl), front) },
        '/openapi.json': document,
        '/openapi-dashboard.json': document,
        '/dashboard/assets/*': {
          ...common,
          allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
          cachePolicy: this.#cache('Dashboard', 'The files of the dashboard', Duration.days(365)),
        },
        '/docs/assets/*': {
          ...common,
          allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
          cachePolicy: this.#cache('Reference', 'The files of the documentation', Duration.days(365)),
        },
      },
    });
    distribution.node.addDependency(...after);
    this.target = distribution.distributionDomainName;
    this.#acceptFindings(distribution);
  }

  /** As long as the API's own header says: it is the same for everybody. The page of the dashboard is not cached. */
  #cache(id: string, comment: string, maxTtl: Duration): CachePolicy {
    return new CachePolicy(this, id, {
      comment,
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl,
      cookieBehavior: CacheCookieBehavior.none(),
      queryStringBehavior: CacheQueryStringBehavior.none(),
      headerBehavior: CacheHeaderBehavior.none(),
      enableAcceptEncodingGzip: true,
    });
  }

  #acceptFindings(distribution: Distribution): void {
    acceptFinding(
      distribution,
      'AwsSolutions-CFR1',
      'Customers pay from every country. A shop limits countries by its own fraud policy.',
    );
    acceptFinding(
      distribution,
      'AwsSolutions-CFR3',
      'Its log would hold query strings, and return addresses carry tokens. The access log of the API has neither.',
    );
  }
}

/**
 * CloudFormation reads the secret from Secrets Manager when it deploys, so it is in no template. Another version in the
 * settings makes it read again.
 */
export const originSecret = ({ originSecret: { arn, versionId } }: FrontSettings, jsonField: string): string =>
  SecretValue.secretsManager(arn, { jsonField, versionId }).unsafeUnwrap();

const originAt = (host: string, front: FrontSettings): HttpOrigin =>
  new HttpOrigin(host, {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    readTimeout: READ_TIMEOUT,
    customHeaders: { [FRONT_HEADERS.secret]: originSecret(front, 'current') },
  });

/** Of `https://<host>/…`. CloudFormation knows the address only when it deploys. */
const hostOf = (url: string): string => Fn.select(2, Fn.split('/', url));
