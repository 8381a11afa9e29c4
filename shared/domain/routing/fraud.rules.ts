import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import type { FraudLists, FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';

type Facts = Pick<Payment, 'amount' | 'currency' | 'country' | 'customer_id' | 'customer_email' | 'customer_ip'>;

/** Why a payment is blocked or flagged, in the order of the policy's fields. */
type FraudReason =
  | 'amount_over_limit'
  | 'blocked_country'
  | 'blocked_email'
  | 'blocked_email_domain'
  | 'blocked_customer'
  | 'blocked_ip'
  | `velocity_${string}`;

/** Empty `reasons`: nothing speaks against the payment. An allowed one passes regardless. */
type Screening = { readonly allowed: boolean; readonly reasons: readonly FraudReason[] };

/** The policy's verdict on the payment itself; velocity is checked separately. */
export function screenPayment(policy: FraudPolicy, facts: Facts): Screening {
  if (listed(policy.allowed, facts).length > 0) return { allowed: true, reasons: [] };
  const limit = policy.max_amount[facts.currency];
  const over = limit !== undefined && facts.amount > limit;
  return {
    allowed: false,
    reasons: [...(over ? (['amount_over_limit'] as const) : []), ...listed(policy.blocked, facts)],
  };
}

function listed(
  lists: FraudLists,
  { country, customer_id, customer_email, customer_ip }: Facts,
): readonly FraudReason[] {
  const email = customer_email === null ? null : normalizeEmail(customer_email);
  const found: readonly (readonly [FraudReason, boolean])[] = [
    ['blocked_country', country !== null && lists.countries.includes(country)],
    ['blocked_email', email !== null && lists.emails.includes(email)],
    ['blocked_email_domain', email !== null && lists.email_domains.some((domain) => isWithin(email, domain))],
    ['blocked_customer', customer_id !== null && lists.customer_ids.includes(customer_id)],
    ['blocked_ip', customer_ip !== null && lists.ips.some((network) => isInNetwork(customer_ip, network))],
  ];
  return found.filter(([, hit]) => hit).map(([reason]) => reason);
}

/** In the ASCII form that mail uses; undefined for an invalid domain. */
export function normalDomain(text: string): string | undefined {
  const ascii = domainToASCII(text.trim().toLowerCase().replace(/^@/, ''));
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(ascii) ? ascii : undefined;
}

function isWithin(email: string, domain: string): boolean {
  const own = domainToASCII(email.slice(email.lastIndexOf('@') + 1));
  return own === domain || own.endsWith(`.${domain}`);
}

/** An IPv4 address may come mapped into IPv6 (::ffff:203.0.113.7): it is the same one. */
function isInNetwork(address: string, network: string): boolean {
  const own = ipaddr.process(address);
  const [base, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : wholeAddress(network);
  return own.kind() === base.kind() && own.match(base, bits);
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** The canonical form of an address or network; undefined if it is neither. */
export function normalNetwork(text: string): string | undefined {
  const [address = '', bits, ...more] = text.trim().split('/');
  if (more.length > 0) return undefined;
  if (!ipaddr.isValid(address) || (ipaddr.IPv4.isValid(address) && !ipaddr.IPv4.isValidFourPartDecimal(address)))
    return undefined;
  const whole = ipaddr.process(address);
  if (bits === undefined) return whole.toString();
  const most = whole.kind() === 'ipv4' ? 32 : 128;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? `${whole.toString()}/${Number(bits)}` : undefined;
}
