import { amountText, parseAmount } from '#client/dashboard/i18n/currencies.ts';
import { LISTS, type ListName } from '#client/dashboard/screens/routing/fraud-words.ts';
import type { FraudPolicy, SaveFraudPolicy, VelocityRule } from '#client/typescript/src/index.ts';

export type LimitDraft = { readonly currency: string; readonly amount: string };
export type VelocityDraft = {
  readonly field: VelocityRule['field'];
  readonly payments: string;
  readonly window: string;
  readonly currency: string;
  readonly amount: string;
};
type ListDrafts = Readonly<Record<ListName, string>>;

/** The form of the policy: text as it is typed. A list has an entry on each line. */
export type FraudDraft = {
  readonly enabled: boolean;
  readonly action: FraudPolicy['action'];
  readonly limits: readonly LimitDraft[];
  readonly velocity: readonly VelocityDraft[];
  readonly blocked: ListDrafts;
  readonly allowed: ListDrafts;
};

export const FIELDS: readonly VelocityRule['field'][] = ['customer_id', 'customer_email', 'ip', 'token'];
export const NEW_LIMIT: LimitDraft = { currency: 'EUR', amount: '' };
export const NEW_VELOCITY: VelocityDraft = {
  field: 'customer_id',
  payments: '5',
  window: '1h',
  currency: '',
  amount: '',
};

export const draftOf = ({ enabled, action, max_amount, velocity, blocked, allowed }: FraudPolicy): FraudDraft => ({
  enabled,
  action,
  limits: Object.entries(max_amount).map(([currency, amount]) => ({ currency, amount: amountText(amount, currency) })),
  velocity: velocity.map(({ field, max_payments, max_amount: most, currency = '', window }) => ({
    field: FIELDS.find((each) => each === field) ?? 'customer_id',
    payments: String(max_payments),
    window,
    currency,
    amount: most === undefined ? '' : amountText(most, currency),
  })),
  blocked: listDrafts(blocked),
  allowed: listDrafts(allowed),
});

const listDrafts = (lists: FraudPolicy['blocked']): ListDrafts => ({
  countries: lists.countries.join('\n'),
  emails: lists.emails.join('\n'),
  email_domains: lists.email_domains.join('\n'),
  customer_ids: lists.customer_ids.join('\n'),
  ips: lists.ips.join('\n'),
});

/** Undefined while a number or an amount is none. What else is wrong, the API says. */
export function policyOf(draft: FraudDraft): SaveFraudPolicy | undefined {
  const limits = draft.limits.map(
    ({ currency, amount }) => [currency.toUpperCase(), amountIn(amount, currency)] as const,
  );
  const velocity = draft.velocity.map(velocityOf);
  if (limits.some(([, amount]) => amount === undefined) || velocity.includes(undefined)) return undefined;
  const { enabled, action, blocked, allowed } = draft;
  return {
    enabled,
    action,
    max_amount: Object.fromEntries(
      limits.flatMap(([currency, amount]) => (amount === undefined ? [] : [[currency, amount]])),
    ),
    velocity: velocity.filter((rule) => rule !== undefined),
    blocked: listsOf(blocked),
    allowed: listsOf(allowed),
  };
}

const isCurrency = (text: string): boolean => /^[A-Za-z]{3}$/.test(text);
const amountIn = (text: string, currency: string): number | undefined =>
  isCurrency(currency) ? parseAmount(text, currency.toUpperCase()) : undefined;

function velocityOf({ field, payments, window, currency, amount }: VelocityDraft): VelocityRule | undefined {
  if (!/^[1-9]\d{0,3}$/.test(payments.trim()) || !window.trim()) return undefined;
  const rule = { field, max_payments: Number(payments), window: window.trim() };
  if (!currency && !amount) return rule;
  if (!isCurrency(currency)) return undefined;
  if (!amount) return { ...rule, currency: currency.toUpperCase() };
  const max_amount = amountIn(amount, currency);
  return max_amount === undefined ? undefined : { ...rule, currency: currency.toUpperCase(), max_amount };
}

const listsOf = (lists: ListDrafts): Readonly<Record<ListName, readonly string[]>> => {
  const entries = (name: ListName): readonly string[] =>
    lists[name]
      .split(name === 'customer_ids' ? /\n/ : /[\n,;]/)
      .map((entry) => entry.trim())
      .filter(Boolean);
  const [countries, emails, email_domains, customer_ids, ips] = LISTS.map(entries);
  return {
    countries: countries?.map((code) => code.toUpperCase()) ?? [],
    emails: emails ?? [],
    email_domains: email_domains ?? [],
    customer_ids: customer_ids ?? [],
    ips: ips ?? [],
  };
};
