import { type FunctionUrl, FunctionUrlAuthType, type Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

export type CallbackUrlProps = { readonly lambda: Lambda };

/**
 * The function URL for providers' callbacks, for when the API's own limits would refuse them. It is public, as
 * providers do not sign requests for AWS. The function verifies each callback's signature, and reserved concurrency
 * bounds what strangers can use up.
 */
export class CallbackUrl extends Construct {
  readonly url: FunctionUrl;

  constructor(scope: Construct, id: string, { lambda }: CallbackUrlProps) {
    super(scope, id);
    this.url = lambda.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
  }
}
