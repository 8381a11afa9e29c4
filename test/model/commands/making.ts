import fc from 'fast-check';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { always, type Command, command } from '#test/model/command.ts';
import type { Model, Tracked } from '#test/model/model.ts';
import { newRequest, send } from '#test/model/requests.ts';
import type { Round } from '#test/model/round.ts';
import type { Body } from '#test/support/host.ts';

/**
 * The payment method: a token per provider that decides the outcome there, a single one for the first provider, or
 * none, for a page.
 */
export type Method = { readonly with: 'tokens' | 'token' | 'page'; readonly words: readonly string[] };

const WORDS = [
  'ok',
  'ok',
  'ok',
  'needs_3ds',
  'pending',
  'decline_insufficient_funds',
  'decline_card_declined',
  'decline_stolen_card',
] as const;

export const aMethod: fc.Arbitrary<Method> = fc.record({
  with: fc.constantFrom('tokens', 'tokens', 'token', 'page'),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 2 }),
});

export const methodText = (method: Method): string =>
  method.with === 'page' ? 'a page' : `${method.with} ${method.words.join()}`;

export function methodBody({ with: how, words }: Method, providers: readonly Provider[]): Body {
  if (how === 'page') return {};
  // Razorpay wants the customer's number beside a token.
  const beside = providers.includes('razorpay') ? { phone: '+919900000000' } : {};
  if (how === 'token') return { payment_method: { type: 'card', token: words[0], ...beside } };
  return {
    payment_method: {
      type: 'card',
      ...beside,
      tokens: Object.fromEntries(providers.map((provider, n) => [provider, words[n % words.length]])),
    },
  };
}

/** One that all of the shop's providers take. */
const currencyOf = (providers: readonly Provider[]): string =>
  providers.some((provider) => provider === 'paystack' || provider === 'razorpay') ? 'USD' : 'EUR';

export const AMOUNTS = [1_000, 5_000, 9_999] as const;

/** `manual`: its money is captured later. */
type Creation = { readonly act: 'create' | 'intent'; readonly method: Method; readonly amount: number } & {
  readonly manual?: boolean;
};

const creation = (made: Creation): Command => {
  const { act, amount, method, manual } = made;
  const text = `${act} ${amount} with ${methodText(method)}${manual ? ', captured later' : ''}`;
  return command(text, always, async (model, round) => {
    await send(aCreation(made, model, round), model, round);
  });
};

export function aCreation({ act, method, amount, manual }: Creation, model: Model, round: Round) {
  const order = model.payments.length;
  const about: Tracked = {
    order,
    amount,
    retries: { sure: 0, unsure: 0 },
    retriesAsked: 0,
    retriesSeen: 0,
    refunded: new Set(),
    reviewEnded: false,
  };
  model.payments.push(about);
  const fields = {
    amount,
    currency: currencyOf(round.shop.providers),
    customer_id: round.customer,
    customer_email: 'kim@example.com',
    metadata: { order },
    ...(manual && { capture: 'manual' }),
  };
  const path = act === 'create' ? '/v1/payments' : '/v1/payments/intents';
  return newRequest(act, about, path, { ...fields, ...methodBody(method, round.shop.providers) }, model, round);
}

/** Every second payment is captured later. */
export const making: fc.Arbitrary<Command> = fc
  .record({
    act: fc.constantFrom('create', 'create', 'intent'),
    method: aMethod,
    amount: fc.constantFrom(...AMOUNTS),
    manual: fc.boolean(),
  })
  .map(creation);
