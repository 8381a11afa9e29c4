import { useEffect, useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import type { SavedPaymentMethod } from '#client/typescript/src/index.ts';

/** While somebody types, not every letter is a request. */
const SETTLED_MS = 400;

type SavedMethodProps = {
  readonly customer: string;
  readonly value: string;
  readonly onValue: (id: string) => void;
  readonly problem: ApiProblem | undefined;
  /** What it means to choose none. */
  readonly none: string;
};

/** One of the customer's saved payment methods. Without any, or without the right to see them, its ID is typed. */
export function SavedMethodField({ customer, value, onValue, problem, none }: SavedMethodProps) {
  const texts = useMessages(BILLING);
  const { can } = useSession();
  const settled = useSettled(customer.trim());
  const methods = useQuery(
    ['payment-methods', settled],
    (api, options) => api.paymentMethods.list({ customer_id: settled }, options),
    { enabled: settled !== '' && can('payments:read') },
  ).data?.items;
  const error = fieldError(problem, 'payment_method.id') ?? fieldError(problem, 'payment_method');
  if (methods && methods.length > 0)
    return (
      <Select
        label={texts.savedMethod}
        value={value}
        options={[
          { value: '', label: none },
          ...methods.map((method) => ({ value: method.id, label: nameOf(method) })),
        ]}
        error={error}
        onValue={onValue}
      />
    );
  return (
    <Input
      label={texts.savedMethod}
      value={value}
      placeholder="pm_…"
      hint={texts.methodHint}
      error={error}
      isOptional
      onValue={onValue}
    />
  );
}

/** Such as Visa •••• 4242, 04/29. */
function nameOf({ type, card, id }: SavedPaymentMethod): string {
  if (!card?.last4) return `${wordsOf(type)} (${id})`;
  const { brand = type, last4, exp_month, exp_year } = card;
  const expiry = exp_month && exp_year ? `, ${String(exp_month).padStart(2, '0')}/${String(exp_year).slice(-2)}` : '';
  return `${wordsOf(brand)} •••• ${last4}${expiry}`;
}

function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
