import { type FunctionUrl, FunctionUrlAuthType, type Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

export type CallbackUrlProps = { readonly lambda: Lambda };

/**
 * Where providers call back when the API's own limits would turn them away. Open to all, as they sign nothing that AWS
 * knows: the function checks each callback's signature, and its reserved concurrency bounds what strangers can use up.
 */
export class CallbackUrl extends Construct {
  readonly url: FunctionUrl;

  constructor(scope: Construct, id: string, { lambda }: CallbackUrlProps) {
    super(scope, id);
    this.url = lambda.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
  }
}
