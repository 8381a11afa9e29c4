import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DisputeReason } from '#shared/domain/disputes/dispute.model.ts';
import { DAY } from '#shared/kernel/clock.ts';
import type { PspDispute } from '#shared/ports/dispute.port.ts';
import { PspRefused, type PspRequest } from '#shared/ports/psp.port.ts';
import { openTestbed, type Payer, type Testbed } from '#test/contract/dispute-journeys.support.ts';

/** What disputes are like at one provider, as its documentation has it. */
type Traits = {
  readonly provider: string;
  readonly payer?: Payer;
  /** Reasons of ours that its own reasons can express. */
  readonly reasons: readonly DisputeReason[];
  /** Nothing can be answered: its disputes begin as lost. */
  readonly lostAtOnce?: true;
  /** It asks before it takes the money. */
  readonly inquiries: boolean;
  /** The money is taken when the dispute is lost, and not withheld before. */
  readonly withholdsWhenLost?: true;
  /** What becomes of a dispute that nobody answers. Undefined: it names no time. */
  readonly unanswered?: 'expired' | 'lost';
  /** After evidence was sent. Undefined: it takes none. */
  readonly answered?: 'under_review';
};

const PROVIDERS: readonly Traits[] = [
  {
    provider: 'stripe',
    reasons: ['fraudulent', 'duplicate', 'product_not_received', 'subscription_canceled', 'unrecognized', 'general'],
    inquiries: true,
    unanswered: 'expired',
    answered: 'under_review',
  },
  {
    provider: 'adyen',
    reasons: ['fraudulent', 'duplicate', 'product_not_received', 'subscription_canceled', 'unrecognized', 'general'],
    inquiries: true,
    unanswered: 'expired',
  },
  {
    provider: 'checkout',
    reasons: ['fraudulent', 'duplicate', 'product_not_received', 'subscription_canceled', 'unrecognized', 'general'],
    inquiries: false,
    unanswered: 'expired',
    answered: 'under_review',
  },
  {
    provider: 'paypal',
    reasons: ['fraudulent', 'duplicate', 'product_not_received', 'subscription_canceled', 'general'],
    inquiries: true,
    unanswered: 'lost',
    answered: 'under_review',
  },
  {
    provider: 'razorpay',
    payer: { currency: 'INR', more: { paymentMethod: { type: 'card', token: 'ok', phone: '+919900000000' } } },
    reasons: ['fraudulent', 'duplicate', 'product_not_received', 'subscription_canceled', 'unrecognized', 'general'],
    inquiries: true,
    unanswered: 'lost',
    withholdsWhenLost: true,
  },
  {
    provider: 'paystack',
    payer: { currency: 'NGN' },
    reasons: ['fraudulent', 'general'],
    inquiries: false,
    unanswered: 'expired',
    answered: 'under_review',
  },
  {
    provider: 'mollie',
    reasons: ['debit_not_authorized', 'insufficient_funds', 'duplicate', 'processing_error', 'general'],
    inquiries: false,
    lostAtOnce: true,
  },
  {
    provider: 'flutterwave',
    payer: { currency: 'NGN' },
    reasons: ['fraudulent', 'duplicate', 'product_not_received', 'subscription_canceled', 'unrecognized', 'general'],
    inquiries: false,
    unanswered: 'expired',
    answered: 'under_review',
  },
];

const EVIDENCE = { explanation: 'The customer received the socks.', tracking_number: 'JD0146000' };

const withoutGaps = (dispute: PspDispute): PspDispute =>
  Object.fromEntries(Object.entries(dispute).filter(([, value]) => value !== undefined)) as PspDispute;

describe.each(PROVIDERS.map((traits) => [traits.provider, traits] as const))('disputes at %s', (provider, traits) => {
  let bed: Testbed;
  beforeAll(async () => {
    bed = await openTestbed(provider, traits.payer ?? {});
  });
  afterAll(() => bed?.close());
  const facts = () => bed.adapter.disputes;

  const told = new Map<string, PspDispute>();
  type Charge = Awaited<ReturnType<Testbed['pay']>>;
  /** As the core learns of it: by the look-up where there is one, else by the last callback. */
  const seen = async (reference: string, charge: Charge): Promise<PspDispute | undefined> => {
    const events = await bed.events();
    if (bed.calls.fetch) return bed.calls.fetch(bed.refOf(reference, charge), bed.context);
    if (bed.calls.list) {
      const all = await bed.calls.list({ reference: charge.reference, paymentId: charge.paymentId }, bed.context);
      return all.find((each) => each.reference === reference);
    }
    // What an event leaves out stays as it was.
    for (const { subject } of events)
      if (subject.kind === 'dispute' && subject.reported)
        told.set(subject.reported.reference, {
          ...told.get(subject.reported.reference),
          ...withoutGaps(subject.reported),
        });
    return told.get(reference);
  };
  const dispute = async (input: Parameters<Testbed['simulators']['openDispute']>[2] = {}) => {
    const charge = await bed.pay();
    const reference = bed.simulators.openDispute(provider, charge.paymentId, input) ?? expect.fail('No dispute.');
    return { charge, reference, ref: bed.refOf(reference, charge) };
  };

  it('are told with the charge, the amount and the time to answer, and withhold the money', async () => {
    const { charge, reference } = await dispute({ amount: 2_000, reason: traits.reasons[0] ?? 'general' });
    expect(await seen(reference, charge)).toMatchObject({
      reference,
      paymentReference: charge.reference,
      status: traits.lostAtOnce ? 'lost' : 'needs_response',
      amount: 2_000,
      currency: charge.order.currency,
      reason: traits.reasons[0],
      provider_reason: expect.any(String),
      ...(traits.unanswered && { respond_by: expect.stringMatching(/^2027-03-/) }),
      opened_at: expect.stringMatching(/^2027-03-/),
    });
    expect(bed.withheld(charge.paymentId)).toBe(traits.withholdsWhenLost ? 0 : 2_000);
  });

  it('come as callbacks that name the dispute and its charge', async () => {
    if (facts()?.toldBy !== 'callback') return expect(bed.calls.listSince).toBeDefined();
    const { charge, reference } = await dispute();
    const subjects = (await bed.events()).map(({ subject }) => subject);
    if (facts()?.readWithCharge) {
      const { attemptId } = charge.order;
      const looked = await bed.adapter.fetchWithRefunds?.({ ...charge, attemptId, mayCapture: false }, bed.context);
      expect(subjects).toContainEqual(expect.objectContaining({ kind: 'payment', includesRefunds: true }));
      expect(looked?.disputes?.map((each) => each.reference)).toEqual([reference]);
      return;
    }
    expect(subjects.length).toBeGreaterThan(0);
    for (const subject of subjects)
      expect(subject).toMatchObject({ kind: 'dispute', reference, paymentReference: charge.reference });
  });

  it('lead to the payment by the ids that the provider keeps with the charge', async () => {
    const { order, reference } = await bed.pay();
    const { adapter, context } = bed;
    if (provider === 'adyen') return expect(adapter.chargeIds).toBeUndefined();
    const { org_id, connection_id, payment_id } = order.metadata;
    expect(await adapter.chargeIds?.({ reference }, context)).toMatchObject({ org_id, connection_id, payment_id });
    const strange = await adapter
      .chargeIds?.({ reference: reference.replace(/.{3}$/, '000') }, context)
      .catch((error: unknown) => error);
    expect(strange).toMatchObject({ name: 'PspRefused', kind: 'not_found' });
    expect(await adapter.chargeIds?.({ reference: null }, context)).toEqual({});
  });

  it.each(traits.reasons)('have the reason %s', async (reason) => {
    const { charge, reference } = await dispute({ reason });
    expect(await seen(reference, charge)).toMatchObject({ reason });
  });

  if (traits.inquiries)
    it('begin as a warning that withholds nothing, where the bank only asks', async () => {
      const { charge, reference } = await dispute({ inquiry: true });
      expect(await seen(reference, charge)).toMatchObject({ status: 'warning' });
      expect(bed.withheld(charge.paymentId)).toBe(0);
      bed.simulators.moveDispute(provider, reference, 'escalate');
      expect(await seen(reference, charge)).toMatchObject({ status: 'needs_response' });
      expect(bed.withheld(charge.paymentId)).toBe(traits.withholdsWhenLost ? 0 : 5_000);
    });

  it.each(['won', 'lost'] as const)('are %s by the bank', async (step) => {
    const { charge, reference, ref } = await dispute();
    if (traits.answered) await bed.calls.submitEvidence?.(ref, EVIDENCE, `evidence of ${reference}`, bed.context);
    expect(bed.simulators.moveDispute(provider, reference, step)).toBe(true);
    expect(await seen(reference, charge)).toMatchObject({ status: step });
    expect(bed.withheld(charge.paymentId)).toBe(step === 'won' ? 0 : 5_000);
  });

  it('are given up by the merchant, once, where the provider has a call for it', async () => {
    const { charge, reference, ref } = await dispute();
    if (!facts()?.canAccept) return expect(bed.calls.accept).toBeUndefined();
    expect(await bed.calls.accept?.(ref, `accept ${reference}`, bed.context)).toMatchObject({
      reference,
      status: 'accepted',
    });
    expect((await seen(reference, charge))?.status).toMatch(/^(accepted|lost)$/);
    const again = bed.calls.accept?.(ref, `again ${reference}`, bed.context);
    await expect(again).rejects.toMatchObject({ name: 'PspRefused', kind: 'state' });
  });

  it('are answered with texts, once, where the provider has a call for it', async () => {
    const { charge, reference, ref } = await dispute();
    if (facts()?.evidenceFields.length === 0) return expect(bed.calls.submitEvidence).toBeUndefined();
    const sent = await bed.calls.submitEvidence?.(ref, EVIDENCE, `evidence of ${reference}`, bed.context);
    expect(sent).toMatchObject({ reference, status: traits.answered });
    expect(await seen(reference, charge)).toMatchObject({ status: traits.answered });
    const again = await bed.calls
      .submitEvidence?.(ref, EVIDENCE, `more of ${reference}`, bed.context)
      .catch((error) => error);
    expect(again).toBeInstanceOf(PspRefused);
  });

  it('are answered with each text that the provider is said to take', async () => {
    const { ref } = await dispute();
    const fields = facts()?.evidenceFields ?? [];
    const textOf = (field: string) => `this-is-the-${field}`;
    const sent: unknown[] = [];
    const send = (request: PspRequest) => {
      sent.push(request.body);
      return bed.context.send(request);
    };
    const evidence = Object.fromEntries(fields.map((field) => [field, textOf(field)]));
    await bed.calls.submitEvidence?.(ref, evidence, `all of ${ref.reference}`, { ...bed.context, send });
    expect(fields.filter((field) => !sent.join('\n').includes(textOf(field)))).toEqual([]);
  });

  if (traits.unanswered)
    it('are decided against the merchant when nobody answers in time', async () => {
      const { charge, reference } = await dispute();
      await bed.events();
      bed.advance(60 * DAY);
      expect(await seen(reference, charge)).toMatchObject({ status: traits.unanswered });
      bed.advance(-60 * DAY);
    });

  it('are listed with their charge, and with the account, where the provider lists them', async () => {
    const { charge, reference } = await dispute();
    await bed.events();
    const { list, listSince } = bed.calls;
    if (list) {
      const found = await list({ reference: charge.reference, paymentId: charge.paymentId }, bed.context);
      expect(found.map((each) => each.reference)).toEqual([reference]);
    }
    if (listSince) {
      const range = { from: new Date(bed.now().getTime() - DAY), until: new Date(bed.now().getTime() + DAY) };
      const { items } = await listSince(range, bed.context);
      expect(items.map((each) => each.reference)).toContain(reference);
    }
    expect(list ?? listSince ?? bed.calls.fetch ?? facts()?.toldBy).toBeDefined();
  });
});
