import { disputeRoutes } from '#functions/disputes/disputes.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { psp, pspDeadline } from '#shared/container/aws-psp-parts.ts';
import { connections, disputes, payments } from '#shared/container/store-parts.ts';

export const handler = apiLambda(disputeRoutes, { connections, disputes, payments, psp, pspDeadline });
