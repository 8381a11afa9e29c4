import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  aShop,
  bring,
  drain,
  eventText,
  keyWith,
  moneyOf,
  pay,
  read,
} from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

type How = { readonly key?: string };

/** A payment whose customer disputes it, and everything that follows from it. */
async function aDispute(dispute: Body = {}, how: How = {}): Promise<{ payment: Body; dispute: Body }> {
  const payment = await pay(host, 'ok', {}, how);
  await open(payment, dispute);
  const [first] = (await disputesOf(payment, how)).body.disputes;
  return { payment, dispute: first };
}

async function open(payment: Body, dispute: Body = {}): Promise<string> {
  const { body } = await host.control('POST', '/psp/disputes', {
    provider: 'stripe',
    payment_id: payment.id,
    ...dispute,
  });
  await drain(host);
  return body.reference;
}

async function move({ psp_reference: reference }: Body, step: string): Promise<void> {
  await host.control('POST', '/psp/disputes/move', { provider: 'stripe', reference, step });
  await drain(host);
}

const disputesOf = (payment: Body, how: How = {}): Promise<ApiResponse> =>
  host.call('GET', `/v1/disputes?payment_id=${payment.id}`, undefined, how);
const reread = async ({ id }: Body, how: How = {}): Promise<Body> =>
  (await host.call('GET', `/v1/disputes/${id}`, undefined, how)).body;
const answer = (
  { id }: Body,
  action: 'accept' | 'evidence',
  body?: Body,
  how: { readonly key?: string; readonly idempotencyKey?: string } = {},
): Promise<ApiResponse> => host.call('POST', `/v1/disputes/${id}/${action}`, body, how);

async function eventsAbout({ id }: Body): Promise<readonly Body[]> {
  await drain(host);
  const { events } = (await host.call('GET', '/v1/webhooks/events?limit=200')).body;
  return events.filter(({ data }: Body) => data.id === id).reverse();
}
const typesAbout = async (dispute: Body): Promise<readonly string[]> =>
  (await eventsAbout(dispute)).map(({ type }) => type).sort();

describe('A dispute', () => {
  it('is shown with its deadline, and with what the provider takes as an answer', async () => {
    const { payment, dispute } = await aDispute({ reason: 'product_not_received' });
    expect(dispute).toEqual({
      id: expect.stringMatching(/^disp_[0-9a-z]{26}$/),
      org_id: payment.org_id,
      mode: 'sandbox',
      payment_id: payment.id,
      connection_id: payment.connection_id,
      provider: 'stripe',
      psp_reference: expect.stringMatching(/^du_/),
      charge_reference: payment.psp_reference,
      amount: 5_000,
      currency: 'EUR',
      status: 'needs_response',
      reason: 'product_not_received',
      provider_reason: expect.any(String),
      respond_by: expect.stringMatching(/Z$/),
      answer: null,
      answer_options: { accept: true, evidence_fields: expect.arrayContaining(['explanation', 'tracking_number']) },
      opened_at: expect.stringMatching(/Z$/),
      closed_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(await reread(dispute)).toEqual(dispute);
  });

  it('withholds money of its payment, which is not refunded by it', async () => {
    const { payment } = await aDispute({ amount: 2_000 });
    expect(await read(host, payment.id)).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      amount_disputed: 2_000,
      refunds: [],
    });
  });

  it('leaves no trace on a payment that nobody disputes', async () => {
    const payment = await pay(host);
    expect(await read(host, payment.id)).not.toHaveProperty('amount_disputed');
    expect((await disputesOf(payment)).body.disputes).toEqual([]);
  });

  it('withholds nothing while it is an inquiry, and all of it once it is escalated', async () => {
    const { payment, dispute } = await aDispute({ inquiry: true });
    expect(dispute.status).toBe('warning');
    expect((await read(host, payment.id)).amount_disputed).toBe(0);
    await move(dispute, 'escalate');
    expect((await reread(dispute)).status).toBe('needs_response');
    expect((await read(host, payment.id)).amount_disputed).toBe(5_000);
  });

  it('gives the money back when it is won, and is announced from beginning to end', async () => {
    const { payment, dispute } = await aDispute();
    await answer(dispute, 'evidence', { explanation: 'It was delivered.' });
    await move(dispute, 'won');
    const won = await reread(dispute);
    expect(won).toMatchObject({
      status: 'won',
      closed_at: expect.stringMatching(/Z$/),
      answer_options: { accept: false, evidence_fields: [] },
    });
    expect((await read(host, payment.id)).amount_disputed).toBe(0);
    expect(await typesAbout(dispute)).toEqual(['dispute.closed', 'dispute.created', 'dispute.updated']);
    const { answer_options: _, ...shown } = won;
    expect((await eventsAbout(dispute)).find(({ type }) => type === 'dispute.closed')?.data).toEqual(shown);
  });

  it('changes nothing when the provider reports it again, and follows what the provider says and not the event', async () => {
    const { key, credentials } = await aShop(host, { conn_repeats: {} });
    const { dispute } = await aDispute({}, { key });
    const { webhook_secret = '' } = credentials.conn_repeats ?? {};
    const { psp_reference: id, charge_reference: payment_intent } = dispute;
    const object = { id, payment_intent, object: 'dispute', status: 'lost', amount: 1, currency: 'eur' };
    for (const type of ['charge.dispute.created', 'charge.dispute.closed'])
      expect((await bring(host, eventText({ type, object }), webhook_secret)).status).toBe(200);
    expect(await reread(dispute, { key })).toEqual(dispute);
  });

  it('is refused with a signature of somebody else, and changes nothing', async () => {
    const { payment, dispute } = await aDispute();
    const { psp_reference: id, charge_reference: payment_intent } = dispute;
    const text = eventText({ type: 'charge.dispute.closed', object: { id, payment_intent, status: 'won' } });
    expect((await bring(host, text, 'whsec_of_nobody')).status).toBe(401);
    expect([await reread(dispute), (await read(host, payment.id)).amount_disputed]).toEqual([dispute, 5_000]);
  });

  it('of a charge that was not made here is not ours', async () => {
    const { key, credentials } = await aShop(host, { conn_foreign: {} });
    const { webhook_secret = '' } = credentials.conn_foreign ?? {};
    const text = eventText({ type: 'charge.dispute.created', object: { id: 'du_other', payment_intent: 'pi_other' } });
    const { callback_url } = (await host.call('GET', '/v1/connections/conn_foreign', undefined, { key })).body;
    expect((await bring(host, text, webhook_secret)).body.code).toBe('webhook_unroutable');
    expect((await bring(host, text, webhook_secret, callback_url)).status).toBe(200);
    expect((await bring(host, text, 'whsec_of_nobody', callback_url)).status).toBe(401);
    expect((await host.call('GET', '/v1/disputes', undefined, { key })).body.disputes).toEqual([]);
  });

  it('is announced a day before its deadline, once, and then expires', async () => {
    const { payment, dispute } = await aDispute();
    const due = Date.parse(dispute.respond_by) - host.clock.now().getTime();
    await advance(host, `${Math.floor(due / 3_600_000) - 20}h`);
    await drain(host);
    expect(await typesAbout(dispute)).toEqual(['dispute.created', 'dispute.response_due']);
    await advance(host, '72h');
    await drain(host);
    expect(await reread(dispute)).toMatchObject({ status: 'expired', answer: null });
    expect(await typesAbout(dispute)).toEqual(['dispute.closed', 'dispute.created', 'dispute.response_due']);
    expect((await read(host, payment.id)).amount_disputed).toBe(5_000);
  });
});

describe('POST /v1/disputes/{id}/accept', () => {
  it('gives the dispute up at the provider, and says who did so', async () => {
    const { payment, dispute } = await aDispute();
    const { status, body } = await answer(dispute, 'accept');
    expect([status, body]).toEqual([200, await reread(dispute)]);
    expect(body).toMatchObject({
      status: 'accepted',
      answer: { type: 'accept', fields: [], at: expect.stringMatching(/Z$/), by: expect.stringMatching(/^key_/) },
    });
    expect((await read(host, payment.id)).amount_disputed).toBe(5_000);
    expect(await typesAbout(dispute)).toEqual(['dispute.closed', 'dispute.created']);
  });

  it('is done once under one idempotency key, and refused under another', async () => {
    const { dispute } = await aDispute();
    const idempotencyKey = randomUUID();
    const first = await answer(dispute, 'accept', undefined, { idempotencyKey });
    const again = await answer(dispute, 'accept', undefined, { idempotencyKey });
    expect(again.body).toEqual(first.body);
    expect(await answer(dispute, 'accept')).toMatchObject({ status: 409, body: { code: 'dispute_not_answerable' } });
  });

  it('is sent once, whatever twenty requests at once ask for', async () => {
    const { payment, dispute } = await aDispute();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? answer(dispute, 'accept') : answer(dispute, 'evidence', { explanation: `Text ${n}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { calls } = (await host.control('GET', `/psp/calls?payment_id=${payment.id}`)).body;
    expect(
      calls.filter(({ operation, idempotency_key }: Body) => operation === 'dispute' && idempotency_key !== null)
        .length,
    ).toBe(1);
  });

  it('leaves the dispute as it is when the provider cannot be reached', async () => {
    const { dispute } = await aDispute();
    await arrange(host, 'refuse_connection', { match: { operation: 'dispute' } });
    expect(await answer(dispute, 'accept')).toMatchObject({ status: 502, body: { code: 'provider_error' } });
    await host.control('DELETE', '/psp/scenario');
    expect(await reread(dispute)).toMatchObject({ status: 'needs_response', answer: null });
    expect((await answer(dispute, 'accept')).body.status).toBe('accepted');
  });

  it('looks the dispute up where the provider took the answer and did not say so', async () => {
    const { dispute } = await aDispute();
    await arrange(host, 'garbage', { match: { operation: 'dispute' } });
    expect(await answer(dispute, 'accept')).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
    expect(await answer(dispute, 'accept')).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
    await host.control('DELETE', '/psp/scenario');
    await advance(host, '2m');
    await drain(host);
    expect(await reread(dispute)).toMatchObject({ status: 'accepted', answer: { type: 'accept' } });
  });
});

describe('POST /v1/disputes/{id}/evidence', () => {
  it('sends the texts to the provider and keeps only the names of their fields', async () => {
    const { dispute } = await aDispute();
    const secret = 'Signed for by the neighbour.';
    const { status, body } = await answer(dispute, 'evidence', { explanation: secret, tracking_number: '1Z999' });
    expect([status, body.status]).toEqual([200, 'under_review']);
    expect(body.answer).toMatchObject({ type: 'evidence', fields: ['explanation', 'tracking_number'] });
    expect(JSON.stringify([body, await eventsAbout(dispute), host.logged])).not.toContain(secret);
  });

  it.each([
    ['no field at all', {}, 'invalid_request'],
    ['a field that nobody knows', { video: 'x' }, 'invalid_request'],
    ['a blank field', { explanation: '' }, 'invalid_request'],
  ])('refuses %s and changes nothing', async (_, body, code) => {
    const { dispute } = await aDispute();
    expect(await answer(dispute, 'evidence', body)).toMatchObject({ status: 400, body: { code } });
    expect(await reread(dispute)).toEqual(dispute);
  });

  it('refuses an answer after the deadline', async () => {
    const { dispute } = await aDispute();
    await host.clock.stand(new Date(Date.parse(dispute.respond_by) + 1_000));
    const refused = await answer(dispute, 'evidence', { explanation: 'Late.' });
    await host.clock.run();
    expect(refused).toMatchObject({ status: 409, body: { code: 'dispute_not_answerable' } });
  });
});

describe('A refund of a disputed payment', () => {
  it('is refused without force, says what is withheld, and is made with it', async () => {
    const { payment, dispute } = await aDispute();
    const refused = await act(host, payment.id, 'refund', { amount: 1_000 });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'payment_disputed',
        details: { amount_disputed: 5_000 },
        message: expect.stringContaining('force'),
      },
    });
    expect((await moneyOf(host, payment.id)).refunded).toBe(0);
    await move(dispute, 'won');
    expect((await act(host, payment.id, 'refund', { amount: 1_000 })).body.amount_refunded).toBe(1_000);
  });

  it('reaches the provider with force', async () => {
    const { payment } = await aDispute();
    const { status, body } = await act(host, payment.id, 'refund', { amount: 1_000, force: true });
    expect([status, body.refunds.length]).toEqual([200, 1]);
  });

  it('needs no force during an inquiry, which a refund can end', async () => {
    const { payment } = await aDispute({ inquiry: true });
    expect((await act(host, payment.id, 'refund')).body.status).toBe('refunded');
  });
});

describe('GET /v1/disputes', () => {
  it('lists newest first, by status, provider, payment and deadline', async () => {
    const { key } = await aShop(host, { conn_disputes: {} });
    const own = { key };
    const [first, second, third] = [
      await aDispute({}, own),
      await aDispute({ inquiry: true }, own),
      await aDispute({}, own),
    ];
    await answer(first.dispute, 'accept', undefined, own);
    const listed = async (query: string) =>
      (await host.call('GET', `/v1/disputes${query}`, undefined, own)).body.disputes.map(({ id }: Body) => id);
    const [a, b, c] = [first, second, third].map(({ dispute }) => dispute.id);
    const late = new Date(Date.parse(third.dispute.respond_by) + 1).toISOString();
    expect(await listed('')).toEqual([c, b, a]);
    expect(await listed('?status=accepted')).toEqual([a]);
    expect(await listed('?provider=stripe&status=warning')).toEqual([b]);
    expect(await listed('?provider=paypal')).toEqual([]);
    expect(await listed(`?payment_id=${second.payment.id}`)).toEqual([b]);
    expect(await listed(`?respond_by_before=${late}`)).toEqual([c, b]);
    expect(await listed(`?respond_by_before=${new Date(0).toISOString()}`)).toEqual([]);
    expect(await listed(`?respond_by_before=${late}&status=needs_response`)).toEqual([c]);
  });

  it('shows nothing of another organization', async () => {
    const { dispute } = await aDispute();
    const stranger = await anOrganization(host);
    await aConnection(host, stranger, {});
    const how = { key: stranger.key };
    expect((await host.call('GET', '/v1/disputes', undefined, how)).body.disputes).toEqual([]);
    const missing = await host.call('GET', '/v1/disputes/disp_01jzzzzzzzfz0a1b2c3d4e5f6g', undefined, how);
    for (const reply of [
      await host.call('GET', `/v1/disputes/${dispute.id}`, undefined, how),
      await answer(dispute, 'accept', undefined, how),
      await answer(dispute, 'evidence', { explanation: 'Mine.' }, how),
    ])
      expect([reply.status, reply.body.code, reply.body.message]).toEqual([404, 'not_found', missing.body.message]);
    expect(await reread(dispute)).toEqual(dispute);
  });

  it('needs payments:read to read and payments:write to answer', async () => {
    const { dispute } = await aDispute();
    const reader = { key: await keyWith(host, ['payments:read']) };
    const other = { key: await keyWith(host, ['invoices:read']) };
    expect((await host.call('GET', '/v1/disputes', undefined, reader)).status).toBe(200);
    expect((await answer(dispute, 'accept', undefined, reader)).body.code).toBe('missing_scope');
    expect((await host.call('GET', '/v1/disputes', undefined, other)).body.code).toBe('missing_scope');
  });
});

describe('GET /v1/payments/stats', () => {
  it('counts disputes and their money by status and provider', async () => {
    const { key } = await aShop(host, { conn_stats: {} });
    const own = { key };
    const [lost, open] = [await aDispute({}, own), await aDispute({ amount: 2_000 }, own)];
    await answer(lost.dispute, 'accept', undefined, own);
    await drain(host);
    const { body } = await host.call('GET', '/v1/payments/stats', undefined, own);
    const by_status = { accepted: 1, needs_response: 1, won: 0, lost: 0, expired: 0, warning: 0, under_review: 0 };
    expect(open.dispute.amount).toBe(2_000);
    expect(body.disputes).toEqual({ total: 2, by_status });
    expect(body.by_provider).toMatchObject([{ provider: 'stripe', total: 2, disputes: { total: 2, by_status } }]);
    expect(body.by_currency).toMatchObject([
      { currency: 'EUR', volume: 10_000, disputed_amount: 7_000, dispute_lost_amount: 5_000 },
    ]);
  });
});
