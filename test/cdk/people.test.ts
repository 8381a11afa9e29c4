import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { describe, expect, it } from 'vitest';
import { ApiDomain, apiDomainOf } from '#lib/aws/constructs/api-domain.construct.ts';
import { dashboardOf } from '#lib/aws/dashboard.ts';

const stackWith = (context: Readonly<Record<string, string>>) =>
  new Stack(new App({ context }), 'Stack', { env: { account: '111122223333', region: 'eu-central-1' } });

const CERTIFICATE = 'arn:aws:acm:eu-central-1:111122223333:certificate/1';

describe('where people work with a stage', () => {
  it('is told to its functions by whoever deploys', () => {
    const context = { live_origins: 'https://a.example.com', live_passkey_domain: 'example.com', sandbox_dashboard_url: 'https://b.example.com' };
    expect(dashboardOf(stackWith(context), 'live')).toEqual({ ORIGINS: 'https://a.example.com', PASSKEY_DOMAIN: 'example.com' });
  });

  it('may have the API under its own name', () => {
    const stack = stackWith({ live_api_domain: 'api.example.com', live_api_certificate: CERTIFICATE });
    const api = new HttpApi(stack, 'Api');
    const named = apiDomainOf(stack, 'live');
    if (named && api.defaultStage) new ApiDomain(stack, 'Domain', { ...named, api, apiStage: api.defaultStage });
    const template = Template.fromStack(stack);
    template.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
      DomainName: 'api.example.com',
      DomainNameConfigurations: [{ CertificateArn: CERTIFICATE, SecurityPolicy: 'TLS_1_2' }],
    });
    template.resourceCountIs('AWS::ApiGatewayV2::ApiMapping', 1);
  });

  it('needs a name and a certificate for that, or neither', () => {
    expect(apiDomainOf(stackWith({}), 'live')).toBeUndefined();
    expect(() => apiDomainOf(stackWith({ live_api_domain: 'api.example.com' }), 'live')).toThrow('live_api_domain and live_api_certificate go together.');
  });
});
