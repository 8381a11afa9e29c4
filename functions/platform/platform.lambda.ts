import { platformRoutes } from '#functions/platform/platform.routes.ts';
import { sesMail } from '#shared/adapters/aws/ses-mailer.adapter.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { router } from '#shared/http/router.ts';

export const handler = lambdaHandler((deps) => router(platformRoutes, deps), { makeMail: sesMail });
