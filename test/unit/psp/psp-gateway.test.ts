import { describe, expect, it } from 'vitest';
import { DAY, startDeadline } from '#shared/kernel/clock.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { VaultPort } from '#shared/ports/vault.port.ts';
import { mollieFacts } from '#shared/psp/mollie/facts.ts';
import { makePspGateway } from '#shared/psp/psp-gateway.adapter.ts';
import payment from '#test/fixtures/mollie/payment-open.json' with { type: 'json' };

const PAYMENT_ID = 'pay_01jc0000000000000000000001';
const NOW = new Date('2026-06-12T13:06:22Z');

/** Mollie with one payment, which is authorized and does not say until when. */
const { expiresAt: _, ...settled } = payment;
const held = { ...settled, status: 'authorized', metadata: { payment_id: PAYMENT_ID }, _embedded: { refunds: [] } };
const gateway = makePspGateway({
  transport: { send: async () => ({ status: 200, headers: {}, text: JSON.stringify(held) }) },
  vault: {} as VaultPort,
  clock: { now: () => NOW },
  rootCertificates: () => [],
});

describe('a session of the PSP gateway', () => {
  it.each(['fetch', 'fetchWithRefunds'] as const)(
    'gives an authorization the documented end where the PSP tells none (%s)',
    async (call) => {
      const credentials = new Secret(JSON.stringify({ api_key: 'test_1234567890' }));
      const session = await gateway.openWith('mollie', credentials, startDeadline(10_000));
      const charge = { reference: payment.id, paymentId: PAYMENT_ID, attemptId: 'att_1', mayCapture: true } as const;
      const found = await session[call]({ ...charge, manual: true });
      const end = NOW.getTime() + (mollieFacts.manualCapture?.validityMs ?? 0);
      expect(end).toBeGreaterThan(NOW.getTime() + DAY);
      expect('outcome' in found ? found.outcome : found).toMatchObject({
        kind: 'authorized',
        capturable_until: new Date(end).toISOString(),
      });
    },
  );
});
