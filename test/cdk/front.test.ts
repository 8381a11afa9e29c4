import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { addChecks } from '#lib/aws/checks.ts';
import { Front } from '#lib/aws/constructs/front.construct.ts';
import { FirewallStack } from '#lib/aws/firewall.stack.ts';
import { appWithoutCode, deployed } from '#test/cdk/deployed.support.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { type Properties, type Synthesized, textOf } from '#test/cdk/synthesized.support.ts';

const SECRET = 'arn:aws:secretsmanager:eu-central-1:111111111111:secret:payfork-front-AbCdEf';
const VERSION = '11111111-2222-3333-4444-555555555555';
const WEB_ACL = 'arn:aws:wafv2:us-east-1:111111111111:global/webacl/ServiceLiveFirewall/1234';
const FRONT = {
  domain: 'api.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/1234',
  webAclArn: WEB_ACL,
  originSecret: { arn: SECRET, versionId: VERSION },
};
const resolved = (field: string) => `{{resolve:secretsmanager:${SECRET}:SecretString:${field}::${VERSION}}}`;

let live: Synthesized;
let distribution: Properties;
beforeAll(() => {
  live = deployed({ front: FRONT });
  distribution = Object.values(live.of('AWS::CloudFront::Distribution'))[0]?.Properties.DistributionConfig;
});

const variablesOf = (name: string): Properties =>
  Object.entries(live.of('AWS::Lambda::Function')).find(([id]) => functionNames(live).get(id) === name)?.[1].Properties
    .Environment.Variables;

describe('a front', () => {
  it('serves its domain with its certificate, over TLS 1.2 or later, behind the firewall', () => {
    expect(distribution.Aliases).toEqual(['api.example.com']);
    expect(distribution.ViewerCertificate).toMatchObject({
      AcmCertificateArn: FRONT.certificateArn,
      MinimumProtocolVersion: 'TLSv1.2_2021',
    });
    expect(distribution.WebACLId).toBe(WEB_ACL);
  });

  it('sends callbacks to the function URL and everything else to the API, and waits longer than either', () => {
    const origins = new Map<string, Properties>(distribution.Origins.map((each: Properties) => [each.Id, each]));
    const hostOf = ({ TargetOriginId }: Properties) => JSON.stringify(origins.get(TargetOriginId)?.DomainName);
    const [callbacks, document] = ['/webhooks/*', '/openapi.json'].map((path) =>
      distribution.CacheBehaviors.find(({ PathPattern }: Properties) => PathPattern === path),
    );
    expect(hostOf(callbacks)).toContain('FunctionUrl');
    for (const behaviour of [distribution.DefaultCacheBehavior, document])
      expect(hostOf(behaviour)).toContain('ApiEndpoint');
    for (const { CustomOriginConfig } of origins.values())
      expect(CustomOriginConfig).toMatchObject({ OriginProtocolPolicy: 'https-only', OriginReadTimeout: 60 });
  });

  it('takes every method without encryption from nobody, and caches nothing but the API document and the files of the dashboard and the documentation', () => {
    const behaviours: Properties[] = [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors];
    const NO_CACHE = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
    for (const { ViewerProtocolPolicy, CachePolicyId, PathPattern } of behaviours) {
      expect(ViewerProtocolPolicy).toBe('https-only');
      expect(CachePolicyId === NO_CACHE).toBe(
        !['/openapi.json', '/openapi-dashboard.json', '/dashboard/assets/*', '/docs/assets/*'].includes(PathPattern),
      );
    }
    expect(distribution.DefaultCacheBehavior.AllowedMethods).toEqual(
      expect.arrayContaining(['POST', 'PATCH', 'DELETE']),
    );
    const policies = Object.values(live.of('AWS::CloudFront::CachePolicy'));
    expect(policies.map(({ Properties: p }) => [p.CachePolicyConfig.MinTTL, p.CachePolicyConfig.MaxTTL])).toEqual([
      [0, 300],
      [0, 365 * 24 * 60 * 60],
      [0, 365 * 24 * 60 * 60],
    ]);
  });

  it('sends its secret to both origins, and every function behind it accepts the current and the previous one', () => {
    for (const { OriginCustomHeaders } of distribution.Origins)
      expect(OriginCustomHeaders).toEqual([{ HeaderName: 'x-origin-secret', HeaderValue: resolved('current') }]);
    for (const group of Object.keys(ROUTES))
      expect(variablesOf(group).ORIGIN_SECRETS).toBe(`${resolved('current')},${resolved('previous')}`);
    for (const other of ['relay', 'timers', 'webhook-delivery'])
      expect(variablesOf(other).ORIGIN_SECRETS).toBeUndefined();
  });

  it('is deployed after the functions, so that they know a new secret before it is sent', () => {
    const [{ DependsOn = [] } = {}] = Object.values(live.of('AWS::CloudFront::Distribution'));
    const aliases = Object.entries(live.of('AWS::Lambda::Alias')).filter(([, { Properties: p }]) =>
      Object.keys(ROUTES).includes(functionNames(live).get(p.FunctionName.Ref) ?? ''),
    );
    expect(aliases).toHaveLength(Object.keys(ROUTES).length);
    expect(DependsOn).toEqual(expect.arrayContaining(aliases.map(([id]) => id)));
  });

  it('overwrites the header that names the caller, for every request', () => {
    const [{ Properties: edge } = { Properties: undefined }] = Object.values(live.of('AWS::CloudFront::Function'));
    const handler = new Function(`${edge.FunctionCode}; return handler;`)();
    const headers = { 'x-viewer-address': { value: '10.0.0.1' }, accept: { value: '*/*' } };
    expect(handler({ request: { headers }, viewer: { ip: '203.0.113.7' } }).headers).toEqual({
      'x-viewer-address': { value: '203.0.113.7' },
      accept: { value: '*/*' },
    });
    for (const behaviour of [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors])
      expect(behaviour.FunctionAssociations).toMatchObject([{ EventType: 'viewer-request' }]);
  });

  it('is the address of the API and of callbacks, for callers and for every function', () => {
    const { ApiUrl, CallbackUrl, FrontTarget } = live.template.toJSON().Outputs;
    expect([ApiUrl.Value, CallbackUrl.Value]).toEqual(['https://api.example.com', 'https://api.example.com/']);
    expect(textOf(FrontTarget.Value)).toMatch(/^<Front/);
    for (const name of functionNames(live).values())
      expect(variablesOf(name)).toMatchObject({
        API_URL: 'https://api.example.com',
        CALLBACK_URL: 'https://api.example.com',
      });
  });

  it('leaves the address of the API open, as the front itself calls it', () => {
    const [api] = Object.values(live.of('AWS::ApiGatewayV2::Api'));
    expect(api?.Properties.DisableExecuteApiEndpoint).toBe(false);
  });

  it('takes requests past it only if the settings say so, while callers move', () => {
    expect(live.text).not.toContain('DIRECT_REQUESTS');
    const moving = deployed({ front: { ...FRONT, takesDirectRequests: true } });
    expect(moving.text.match(/"DIRECT_REQUESTS":"taken"/g)).toHaveLength(Object.keys(ROUTES).length);
  });

  it('is not there unless the settings name one', () => {
    const usual = deployed({});
    expect(usual.text).not.toMatch(/CloudFront|ORIGIN_SECRETS|secretsmanager/);
  });
});

describe('the settings of a front', () => {
  it.each<readonly [string, object, RegExp]>([
    [
      'a certificate of another region',
      { certificateArn: FRONT.certificateArn.replace('us-east-1', 'eu-west-1') },
      /us-east-1/,
    ],
    ['a firewall of a region', { webAclArn: WEB_ACL.replace('global', 'regional') }, /global firewall/],
    ['a secret without a version', { originSecret: { arn: SECRET } }, /originSecret\.versionId/],
  ])('are refused with %s', (_, change, says) =>
    expect(() => deployed({ front: { ...FRONT, ...change } })).toThrow(says),
  );

  it('exclude a domain of the API, and a secret of another region than the stage', () => {
    const domain = { name: 'other.example.com', certificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/1' };
    expect(() => deployed({ front: FRONT, domain })).toThrow(/exclude each other/);
    const env = { account: '111111111111', region: 'eu-west-1' };
    expect(() => deployed({ front: FRONT, env })).toThrow(/region of the stage, eu-west-1/);
  });
});

describe('the firewall of a front', () => {
  const stack = new FirewallStack(appWithoutCode(), { name: 'ServiceLive', stage: 'live', front: FRONT });
  const [firewall] = Object.values(Template.fromStack(stack).findResources('AWS::WAFv2::WebACL'));
  const rules: Properties[] = firewall?.Properties.Rules;

  it('is in the region where CloudFront looks for it, and tells its ARN', () => {
    expect([stack.stackName, stack.region, firewall?.Properties.Scope]).toEqual([
      'ServiceLiveFirewall',
      'us-east-1',
      'CLOUDFRONT',
    ]);
    Template.fromStack(stack).hasOutput('WebAclArn', {});
  });

  it('limits what needs no credential, by address, and answers 429', () => {
    expect(rules.map(({ Name, Statement }) => [Name, Statement.RateBasedStatement.Limit])).toEqual([
      ['sign-in', 100],
      ['pages', 2_000],
      ['strangers', 1_000],
    ]);
    for (const { Action, Statement } of rules) {
      expect(Action.Block.CustomResponse.ResponseCode).toBe(429);
      expect(Statement.RateBasedStatement.AggregateKeyType).toBe('IP');
    }
  });

  it('never limits callbacks, nor whoever sends a key or a session', () => {
    const [signIn, pages, strangers] = rules.map(({ Statement }) => JSON.stringify(Statement));
    expect(`${signIn}${pages}`).not.toContain('/webhooks/');
    for (const text of ['/webhooks/', 'authorization', 'x-service-key', 'cookie']) expect(strangers).toContain(text);
    expect(strangers?.match(/NotStatement/g)).toHaveLength(5);
  });

  it('keeps no samples of requests, as they would show keys', () => {
    for (const { VisibilityConfig } of [firewall?.Properties, ...rules])
      expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
  });
});

it('a front and its firewall break no rule of the checks, but for those that are accepted with a reason', () => {
  const app = appWithoutCode();
  new FirewallStack(app, { name: 'ServiceLive', stage: 'live', front: FRONT });
  const stack = new Stack(app, 'ServiceLive');
  const api = HttpApi.fromHttpApiAttributes(stack, 'Api', {
    httpApiId: 'api',
    apiEndpoint: 'https://api.execute-api.eu-central-1.amazonaws.com',
  });
  const callbackUrl = 'https://callbacks.lambda-url.eu-central-1.on.aws/';
  new Front(stack, 'Front', { front: FRONT, api, callbackUrl, after: [] });
  addChecks(app);
  expect(() => app.synth()).not.toThrow();
});
