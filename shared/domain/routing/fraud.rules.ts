import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import type { FraudLists, FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';

type ScreenedFields = Pick<
  Payment,
  'amount' | 'currency' | 'country' | 'customer_id' | 'customer_email' | 'customer_ip'
>;

/** Why a payment is blocked or flagged, in the order of the policy's fields. */
type FraudReason =
  | 'amount_over_limit'
  | 'blocked_country'
  | 'blocked_email'
  | 'blocked_email_domain'
  | 'blocked_customer'
  | 'blocked_ip'
  | `velocity_${string}`;

/** `allowed`: the payment is on an allow list, so no other rule applies. No `reasons`: no rule matched. */
type Screening = { readonly allowed: boolean; readonly reasons: readonly FraudReason[] };

/** The policy's verdict on the payment itself; velocity is checked separately. */
export function screenPayment(policy: FraudPolicy, facts: ScreenedFields): Screening {
  if (listMatches(policy.allowed, facts).length > 0) return { allowed: true, reasons: [] };
  const limit = policy.max_amount[facts.currency];
  const over = limit !== undefined && facts.amount > limit;
  return {
    allowed: false,
    reasons: [...(over ? (['amount_over_limit'] as const) : []), ...listMatches(policy.blocked, facts)],
  };
}

function listMatches(
  lists: FraudLists,
  { country, customer_id, customer_email, customer_ip }: ScreenedFields,
): readonly FraudReason[] {
  const email = customer_email === null ? null : normalizeEmail(customer_email);
  const found: readonly (readonly [FraudReason, boolean])[] = [
    ['blocked_country', country !== null && lists.countries.includes(country)],
    ['blocked_email', email !== null && lists.emails.includes(email)],
    ['blocked_email_domain', email !== null && lists.email_domains.some((domain) => isInDomain(email, domain))],
    ['blocked_customer', customer_id !== null && lists.customer_ids.includes(customer_id)],
    ['blocked_ip', customer_ip !== null && lists.ips.some((network) => isInNetwork(customer_ip, network))],
  ];
  return found.filter(([, hit]) => hit).map(([reason]) => reason);
}

/** The domain in ASCII (punycode), or undefined if it is not valid. */
export function normalizeDomain(text: string): string | undefined {
  const ascii = domainToASCII(text.trim().toLowerCase().replace(/^@/, ''));
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(ascii) ? ascii : undefined;
}

function isInDomain(email: string, domain: string): boolean {
  const emailDomain = domainToASCII(email.slice(email.lastIndexOf('@') + 1));
  return emailDomain === domain || emailDomain.endsWith(`.${domain}`);
}

/** An IPv4 address mapped into IPv6 (::ffff:203.0.113.7) equals the IPv4 address. */
function isInNetwork(address: string, network: string): boolean {
  const parsed = ipaddr.process(address);
  const [base, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : wholeAddress(network);
  return parsed.kind() === base.kind() && parsed.match(base, bits);
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** The canonical form of an IP address or CIDR network, or undefined if it is neither. */
export function normalizeNetwork(text: string): string | undefined {
  const [address = '', bits, ...more] = text.trim().split('/');
  if (more.length > 0) return undefined;
  if (!ipaddr.isValid(address) || (ipaddr.IPv4.isValid(address) && !ipaddr.IPv4.isValidFourPartDecimal(address)))
    return undefined;
  const whole = ipaddr.process(address);
  if (bits === undefined) return whole.toString();
  const maxBits = whole.kind() === 'ipv4' ? 32 : 128;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits ? `${whole.toString()}/${Number(bits)}` : undefined;
}
