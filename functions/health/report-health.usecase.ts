import { PROBE_STATES } from '#shared/domain/reference/probe.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/**
 * For load balancers, monitors and whoever waits for a deployment. It says nothing about organizations, and asks no
 * provider: one that is down makes this service no less healthy.
 */
export async function reportHealth(
  _: RawRequest,
  { selfCheck, config: { stage, version } }: Pick<Deps, 'selfCheck' | 'config'>,
): Promise<RawResponse> {
  if (await selfCheck.storeAnswers()) {
    const probe = PROBE_STATES[(await selfCheck.knowsProbe()) ? 0 : 1];
    return { status: 200, body: JSON.stringify({ status: 'ok', stage, version, probe }) };
  }
  throw new AppError('service_unavailable', 'The store does not answer. Try again in some seconds.', {
    details: { stage, version },
    retryAfter: 5,
  });
}
