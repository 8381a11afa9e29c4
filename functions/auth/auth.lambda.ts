import { authRoutes } from '#functions/auth/auth.routes.ts';
import { sesMail } from '#shared/adapters/aws/ses-mailer.adapter.ts';
import { onAws } from '#shared/container/on-aws.ts';
import { apiGroup } from '#shared/http/api-group.ts';

export const handler = onAws((deps) => apiGroup(authRoutes, deps), { makeMail: sesMail });
