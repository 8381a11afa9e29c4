import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import { type Ask, api, invalid, type Told } from '#lib/simulators/paystack/answers.ts';
import { cardIn } from '#lib/simulators/paystack/authorizations.ts';
import { needTransaction } from '#lib/simulators/paystack/finding.ts';
import { make } from '#lib/simulators/paystack/making.ts';
import { attempt, decides, wait } from '#lib/simulators/paystack/outcomes.ts';
import { shownTransaction } from '#lib/simulators/paystack/showing.ts';
import { goodCard } from '#lib/simulators/paystack/test-cards.ts';

const CHANNELS: readonly unknown[] = [
  'card',
  'bank',
  'ussd',
  'qr',
  'eft',
  'mobile_money',
  'bank_transfer',
  'apple_pay',
];

function callbackIn({ callback_url: address }: Ask['input']): string | null {
  if (address === undefined) return null;
  if (!/^https?:\/\/\S+$/.test(String(address))) throw invalid('Invalid callback URL', 'invalid_callback_url');
  return String(address);
}

function initialize(ask: Ask, work: Work): Told {
  const { channels } = ask.input;
  if (
    channels !== undefined &&
    !(Array.isArray(channels) && channels.length > 0 && channels.every((channel) => CHANNELS.includes(channel)))
  )
    throw invalid('Invalid value(s) provided in channels', 'invalid_channels');
  const channel = Array.isArray(channels) ? String(channels[0]) : 'card';
  const { body, notes } = make(ask, work, {
    card: goodCard(),
    channel,
    onPage: true,
    callbackUrl: callbackIn(ask.input),
  });
  const data = {
    authorization_url: `${HERE}/paystack/checkout/${notes.accessCode}`,
    access_code: notes.accessCode,
    reference: body.reference,
  };
  return { message: 'Authorization URL created', data };
}

/** A card whose bank wants its holder is not charged: the answer is where they must go. Here metadata are text. */
function chargeAuthorization(ask: Ask, work: Work): Told {
  const { metadata } = ask.input;
  if (metadata !== undefined && typeof metadata !== 'string')
    throw invalid('metadata should be a stringified JSON object', 'invalid_metadata');
  const stored = make(ask, work, {
    card: cardIn(ask.input, work),
    channel: 'card',
    callbackUrl: callbackIn(ask.input),
  });
  const { behaviour, card } = stored.notes;
  const asked = card.steps.length > 0 && !decides(behaviour);
  const after = asked ? wait(work, stored, ['open_url']) : attempt(work, stored, behaviour);
  const { reference } = after.body;
  const { accessCode, steps } = after.notes;
  if (steps[0] !== 'open_url') return { message: 'Charge attempted', data: shownTransaction(after) };
  const data = {
    authorization_url: `${HERE}/paystack/3ds/${accessCode}`,
    reference,
    access_code: accessCode,
    paused: true,
  };
  return { message: 'Please, redirect your customer to the authorization url provided', data };
}

export const transactionRoutes = [
  api('POST', '/transaction/initialize', 'create', initialize),
  api('POST', '/transaction/charge_authorization', 'create', chargeAuthorization),
  api('GET', '/transaction/verify/{id}', 'fetch', ({ id }, work) => ({
    message: 'Verification successful',
    data: shownTransaction(needTransaction(work, id)),
  })),
  api('GET', '/transaction/{id}', 'fetch', ({ id }, work) => ({
    message: 'Transaction retrieved',
    data: shownTransaction(needTransaction(work, id)),
  })),
  api('GET', '/balance', 'ping', () => ({
    message: 'Balances retrieved',
    data: [{ currency: 'NGN', balance: 1_000_000_00 }],
  })),
];
