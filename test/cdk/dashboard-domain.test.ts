import { describe, expect, it } from 'vitest';
import { dashboardOf } from '#lib/aws/stage-environment.ts';
import { deployed } from '#test/cdk/deployed.support.ts';

const domain = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/1',
};

describe('the dashboard and the domain of a stage', () => {
  it('reach the functions as variables from the settings of the deployment', () => {
    const origins = ['https://a.example.com', 'https://b.example.com'];
    expect(dashboardOf({ dashboard: { origins, passkeyDomain: 'example.com' } })).toEqual({
      ORIGINS: 'https://a.example.com,https://b.example.com',
      PASSKEY_DOMAIN: 'example.com',
    });
    expect(dashboardOf({ dashboard: { url: 'https://a.example.com/' } })).toEqual({
      DASHBOARD_URL: 'https://a.example.com/',
    });
    expect(dashboardOf({})).toEqual({});
  });

  it('give the API a custom domain name and its certificate, and close the address of AWS', () => {
    const { template, of } = deployed({ domain });
    template.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
      DomainName: domain.name,
      DomainNameConfigurations: [{ CertificateArn: domain.certificateArn, SecurityPolicy: 'TLS_1_2' }],
    });
    template.resourceCountIs('AWS::ApiGatewayV2::ApiMapping', 1);
    template.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
    expect(JSON.stringify(template.toJSON()).includes('"ApiEndpoint"')).toBe(false);
    const addresses = Object.values(of('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.Environment.Variables.API_URL,
    );
    expect(new Set(addresses)).toEqual(new Set(['https://api.example.com']));
    template.hasOutput('ApiUrl', { Value: 'https://api.example.com' });
    template.hasOutput('ApiDomainTarget', {});
  });
});
