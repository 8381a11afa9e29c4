import { type Body, invalid } from '#lib/simulators/adyen/answers.ts';
import { textIn } from '#lib/simulators/adyen/checks.ts';
import type { TestMethod } from '#lib/simulators/adyen/objects.ts';
import { codeFor } from '#lib/simulators/adyen/refusals.ts';
import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import { isObject } from '#lib/simulators/frame/json.ts';

const CHOICES = {
  shopperInteraction: ['Ecommerce', 'ContAuth', 'Moto', 'POS'],
  recurringProcessingModel: ['CardOnFile', 'Subscription', 'UnscheduledCardOnFile'],
} as const;

/** Agreements for off-session charges. */
const BY_MERCHANT: ReadonlySet<string> = new Set(['Subscription', 'UnscheduledCardOnFile']);

/** Whether the merchant charges off-session. The same models with `Ecommerce` only save the details for that. */
export const isUnattended = (body: Body): boolean =>
  textIn(body, 'shopperInteraction') === 'ContAuth' && BY_MERCHANT.has(textIn(body, 'recurringProcessingModel'));

export function checkRecurring(body: Body): void {
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = body[name];
    if (value !== undefined && !choices.some((choice) => choice === value))
      throw invalid('702', `Unexpected value of '${name}'`);
  }
  const stored = isObject(body.paymentMethod) && typeof body.paymentMethod.storedPaymentMethodId === 'string';
  if (stored && BY_MERCHANT.has(textIn(body, 'recurringProcessingModel')) && !isUnattended(body)) {
    throw invalid('807', 'Invalid combination of shopper interaction and recurring-contract');
  }
  if (isUnattended(body) && !stored && textIn(body, 'shopperReference') === '')
    throw invalid('14_018', "Required field 'shopperReference' is not provided.");
}

/** The shopper is absent: an issuer that requires authentication refuses. */
export const unattended = (method: TestMethod): TestMethod =>
  method.flow === 'redirect' ? { ...method, flow: 'at_once', refusal: codeFor('authentication_required') } : method;

/** The same for a scenario's outcome. */
export const orderedUnattended = (behaviour: Behaviour | null): Behaviour | null =>
  behaviour?.kind === 'requires_action' ? { kind: 'decline', code: 'authentication_required' } : behaviour;
