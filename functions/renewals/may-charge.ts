import { isVerified } from '#shared/domain/kyc.rules.ts';
import { hasPaymentsLeft } from '#shared/domain/plan.rules.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Setup } from '#shared/ports/stores.port.ts';

/** Whether verification and plan of the organization let it take money now. Nobody is told off here: who may not, is asked about again later. */
export const mayCharge = ({ mode }: Pick<Subscription, 'mode'>, setup: Setup, { config, clock }: Pick<Deps, 'config' | 'clock'>): boolean =>
  (mode !== 'live' || isVerified(setup.organization)) && hasPaymentsLeft(setup, config.stage, clock.now());
