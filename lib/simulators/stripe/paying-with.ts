import type { Presence } from '#lib/simulators/stripe/attempt.ts';
import { invalid, noSuch } from '#lib/simulators/stripe/errors.ts';
import { type Form, flagAt, formAt, textAt, textsAt } from '#lib/simulators/stripe/form.ts';
import { methodOfType, type TestMethod, testMethod } from '#lib/simulators/stripe/test-methods.ts';

const RAW_CARD =
  'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing.';

/** What the parameters give to pay with; null where they give nothing. */
export function methodGiven(input: Form): TestMethod | null {
  const id = textAt(input, 'payment_method');
  if (id !== null) {
    const method = testMethod(id);
    if (!method) throw noSuch('PaymentMethod', id, 'payment_method', 400);
    return method;
  }
  const confirmation = textAt(input, 'confirmation_token');
  if (confirmation !== null) {
    const method = testMethod(confirmation.replace(/^ctoken_/, ''));
    if (!method) throw noSuch('confirmation_token', confirmation, 'confirmation_token', 400);
    return { ...method, byLibrary: true };
  }
  const data = formAt(input, 'payment_method_data');
  const type = textAt(data, 'type');
  if (Object.keys(data).length === 0) return null;
  if (type === null)
    throw invalid('Missing required param: payment_method_data[type].', {
      param: 'payment_method_data[type]',
      code: 'parameter_missing',
    });
  if (textAt(data, 'card', 'number') !== null) throw invalid(RAW_CARD, { param: 'payment_method_data[card][number]' });
  return methodOfType(type);
}

export function presenceOf(input: Form): Presence {
  if (flagAt(input, 'error_on_requires_action')) return 'strict';
  const offSession = textAt(input, 'off_session');
  return offSession === null || offSession === 'false' ? 'present' : 'absent';
}

const WHY_RETURN_URL =
  "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.";

/** With the methods of the dashboard some may lead away, and the customer must find back. */
export function checkReturnUrl(input: Form, automatic: unknown): void {
  const url = textAt(input, 'return_url');
  if (url !== null && !/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(url))
    throw invalid('Not a valid URL', { param: 'return_url', code: 'url_invalid' });
  const redirects = automatic !== null && textAt(automatic, 'allow_redirects') !== 'never';
  if (url === null && redirects && presenceOf(input) === 'present' && !flagAt(input, 'use_stripe_sdk'))
    throw invalid(WHY_RETURN_URL);
}

/** Whether redirects are ruled out already by the parameters of a creation. */
export const automaticOf = (input: Form): Form | null =>
  textsAt(input, 'allowed_payment_method_types').length + textsAt(input, 'payment_method_types').length > 0
    ? null
    : formAt(input, 'automatic_payment_methods');
