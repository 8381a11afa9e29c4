import { ApiMapping, DomainName, type IHttpApi, type IStage, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';

export type ApiDomainProps = {
  readonly api: IHttpApi;
  readonly apiStage: IStage;
  readonly domain: NonNullable<PayforkSettings['domain']>;
};

/**
 * A custom domain for the API. Browsers send a session's cookie only within one site, so a dashboard needs the API
 * under its own domain.
 */
export class ApiDomain extends Construct {
  /** The address that the domain's DNS record must point to. */
  readonly target: string;

  constructor(scope: Construct, id: string, { api, apiStage, domain }: ApiDomainProps) {
    super(scope, id);
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn);
    const domainName = new DomainName(this, 'Name', {
      domainName: domain.name,
      certificate,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new ApiMapping(this, 'Mapping', { api, domainName, stage: apiStage });
    this.target = domainName.regionalDomainName;
  }
}
