import { runProbe } from '#functions/probe/run-probe.usecase.ts';
import { ownApi } from '#shared/container/aws-parts.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';

export const handler = lambdaHandler(kmsContainer({ ownApi }), (deps) => () => runProbe(deps));
