import { isCountry } from '#client/dashboard/screens/routing/codes.ts';
import type { EditedRoutingRule, SimulateRouting } from '#client/typescript/src/index.ts';

/** The form of the simulator: text as it is typed. */
export type SimulationDraft = {
  readonly amount: number | undefined;
  readonly currency: string;
  readonly country: string;
  readonly method: string;
  readonly capture: 'automatic' | 'manual';
  readonly token: string;
  readonly customer: string;
  readonly email: string;
  readonly ip: string;
  readonly payment: string;
};

export const EMPTY_SIMULATION: SimulationDraft = {
  ...{ amount: 5_000, currency: 'EUR', country: '', method: 'card', capture: 'automatic', token: '' },
  ...{ customer: '', email: '', ip: '', payment: '' },
};

type Query = Readonly<Record<string, string | undefined>>;

/** From an address, such as a link of a payment: nothing in it says who the customer is. */
export const simulationIn = ({ amount = '', currency, country, method, capture, payment }: Query): SimulationDraft => ({
  ...EMPTY_SIMULATION,
  ...(/^[1-9]\d{0,11}$/.test(amount) && { amount: Number(amount) }),
  ...(currency && { currency: currency.toUpperCase() }),
  ...(country && { country: country.toUpperCase() }),
  ...(method && { method }),
  ...(capture === 'manual' && { capture }),
  ...(payment && { payment }),
});

/** Any text may stand for a token: nothing is charged with it. */
const ANY_TOKEN = 'simulated';

/** Undefined while something is missing. */
export function simulationOf(
  draft: SimulationDraft,
  rules: readonly EditedRoutingRule[] | undefined,
): SimulateRouting | undefined {
  const { amount, currency, country, method, capture, token, customer, email, ip, payment } = draft;
  if (amount === undefined || amount <= 0 || !/^[A-Z]{3}$/.test(currency)) return undefined;
  if ((country && !isCountry(country)) || !method.trim()) return undefined;
  const type = method.trim();
  return {
    amount,
    currency,
    method: type,
    ...(country && { country }),
    ...(capture === 'manual' && { capture }),
    ...(token && { payment_method: { type, tokens: { [token]: ANY_TOKEN } } }),
    ...(customer.trim() && { customer_id: customer.trim() }),
    ...(email.trim() && { customer_email: email.trim() }),
    ...(ip.trim() && { customer_ip: ip.trim() }),
    ...(payment.trim() && { id: payment.trim() }),
    ...(rules && { rules }),
  };
}
