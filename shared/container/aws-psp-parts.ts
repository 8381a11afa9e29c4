import type { KmsBase } from '#shared/container/kms.container.ts';
import { PSP_BUDGET_MS, pspGateway } from '#shared/container/psp-part.ts';
import { startDeadline } from '#shared/kernel/clock.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import { pspBaseUrls } from '#shared/psp/providers.ts';

/* In a file of their own, as the adapters of all PSPs would be deployed with every function that imports this file. */
export const psp = ({ env, vault, clock }: KmsBase) =>
  pspGateway({ transport: makePspTransport({ baseUrls: pspBaseUrls(env.stage) }), vault, clock });

export const pspDeadline = () => startDeadline.bind(undefined, PSP_BUDGET_MS);
