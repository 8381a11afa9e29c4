import { type Alias, type FunctionUrl, FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acceptFinding } from '#lib/aws/checks.ts';

export type CallbackUrlProps = { readonly alias: Alias };

/**
 * The function URL for providers' callbacks, for when the API's own limits would refuse them. It is public, as
 * providers do not sign requests for AWS. The function verifies each callback's signature, and reserved concurrency
 * bounds what strangers can use up.
 */
export class CallbackUrl extends Construct {
  readonly url: FunctionUrl;

  constructor(scope: Construct, id: string, { alias }: CallbackUrlProps) {
    super(scope, id);
    this.url = alias.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    acceptFinding(
      alias,
      'PCI.DSS.321-LambdaFunctionPublicAccessProhibited',
      'Providers call it and cannot sign requests for AWS. The function verifies the signature of each callback.',
    );
  }
}
