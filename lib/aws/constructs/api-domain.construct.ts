import { ApiMapping, DomainName, type HttpApi, type IStage, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

export type ApiDomainProps = {
  readonly api: HttpApi;
  readonly apiStage: IStage;
  readonly domain: string;
  readonly certificateArn: string;
};

/**
 * A custom domain for the API. Browsers send a session's cookie only within one site, so a dashboard needs the API
 * under its own domain.
 */
export class ApiDomain extends Construct {
  /** The address that the domain's DNS record must point to. */
  readonly target: string;

  constructor(scope: Construct, id: string, { api, apiStage, domain, certificateArn }: ApiDomainProps) {
    super(scope, id);
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    const domainName = new DomainName(this, 'Name', {
      domainName: domain,
      certificate,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new ApiMapping(this, 'Mapping', { api, domainName, stage: apiStage });
    this.target = domainName.regionalDomainName;
  }
}

/** Both settings or neither: `-c live_api_domain=api.example.com -c live_api_certificate=arn:aws:acm:…`. */
export function apiDomainOf(
  scope: Construct,
  stage: Stage,
): Pick<ApiDomainProps, 'domain' | 'certificateArn'> | undefined {
  const [domain, certificateArn] = ['api_domain', 'api_certificate'].map((name) =>
    scope.node.tryGetContext(`${stage}_${name}`),
  );
  if (!domain && !certificateArn) return undefined;
  if (!domain || !certificateArn) throw new Error(`${stage}_api_domain and ${stage}_api_certificate go together.`);
  return { domain, certificateArn };
}
