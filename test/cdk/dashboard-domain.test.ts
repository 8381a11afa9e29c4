import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { describe, expect, it } from 'vitest';
import { ApiDomain, apiDomainOf } from '#lib/aws/constructs/api-domain.construct.ts';
import { dashboardOf } from '#lib/aws/dashboard.ts';
import { ServiceStack } from '#lib/aws/service.stack.ts';

const stackWith = (context: Readonly<Record<string, string>>) =>
  new Stack(new App({ context }), 'Stack', { env: { account: '111122223333', region: 'eu-central-1' } });

/** The whole stage, without its functions' code: no test here needs it, and it takes seconds to bundle. */
const stageWith = (context: Readonly<Record<string, string>>) =>
  Template.fromStack(new ServiceStack(new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } }), 'live'));

/** The API's address that each function gets. */
const apiUrlsIn = (template: Template): readonly unknown[] =>
  Object.values(template.findResources('AWS::Lambda::Function')).map(
    ({ Properties }) => Properties.Environment.Variables.API_URL,
  );

const CERTIFICATE = 'arn:aws:acm:eu-central-1:111122223333:certificate/1';

describe('the dashboard and the domain of a stage', () => {
  it('reach the functions as variables from the context of the deployment', () => {
    const context = {
      live_origins: 'https://a.example.com',
      live_passkey_domain: 'example.com',
      sandbox_dashboard_url: 'https://b.example.com',
    };
    expect(dashboardOf(stackWith(context), 'live')).toEqual({
      ORIGINS: 'https://a.example.com',
      PASSKEY_DOMAIN: 'example.com',
    });
  });

  it('can give the API a custom domain name, with its certificate', () => {
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

  it('close the address of AWS when the API has a custom domain name', () => {
    const template = stageWith({ live_api_domain: 'api.example.com', live_api_certificate: CERTIFICATE });
    template.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
    expect(JSON.stringify(template.toJSON()).includes('"ApiEndpoint"')).toBe(false);
    expect(new Set(apiUrlsIn(template))).toEqual(new Set(['https://api.example.com']));
    template.hasOutput('ApiUrl', { Value: 'https://api.example.com' });
  });

  it('require a domain name and a certificate together', () => {
    expect(apiDomainOf(stackWith({}), 'live')).toBeUndefined();
    expect(() => apiDomainOf(stackWith({ live_api_domain: 'api.example.com' }), 'live')).toThrow(
      'live_api_domain and live_api_certificate go together.',
    );
  });
});
