import { type LocalHost, startLocalHost } from '#lib/local/local-host.ts';
import { jsonLog } from '#shared/adapters/local/json-log.adapter.ts';
import { localEnv } from '#shared/env.ts';
import { systemClock } from '#shared/kernel/clock.ts';

/** Prints warnings and errors only, so that the first payment's command stays in sight. */
const log = { ...jsonLog(process.stderr, systemClock), info: () => {} };

// A fault in one request must not end the others.
process.on('unhandledRejection', (error) => log.error('unhandled_rejection', { error }));

try {
  const host = await startLocalHost({ ...localEnv(), log });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void host.close().finally(() => process.exit(0)));
  process.stdout.write(`ready ${host.info.api}\n\n${firstPayment(host)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** A command to paste: one payment with the demo organization's own key. */
function firstPayment({ info: { api, org_id, keys } }: LocalHost): string {
  return [
    `curl -s ${api}/v1/payments`,
    `-H 'X-Service-Key: ${keys.service}'`,
    `-H 'X-Org-Id: ${org_id}'`,
    `-H "Idempotency-Key: first-$(date +%s)"`,
    "-H 'Content-Type: application/json'",
    `-d '{"amount": 1250, "currency": "EUR", "payment_method": {"type": "card", "token": "ok"}}'`,
  ].join(' \\\n  ');
}
