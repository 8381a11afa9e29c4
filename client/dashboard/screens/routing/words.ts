import { wordsOf } from '#client/dashboard/ui/badge.tsx';

/** Why a connection is not tried, after its name. */
const REASONS: Readonly<Record<string, string>> = {
  inactive: 'is inactive',
  wrong_mode: 'is not of this stage',
  method_not_supported: 'does not take this method',
  currency_not_supported: 'does not take this currency',
  country_not_supported: 'does not take payments of this country',
  off_session_not_supported: 'cannot charge while the customer is absent',
  capture_not_supported: 'cannot capture later',
  amount_not_supported: 'does not take this amount',
  customer_email_required: 'needs the customer’s e-mail address',
  no_token: 'has no token of this payment method',
  down: 'is down',
  not_found: 'does not exist any more',
  no_fallback_in_rule: 'is not asked: the rule has one connection only',
  no_fallback_in_test: 'is not asked: the variant has one connection only',
  beyond_limit: 'is not asked: enough others come first',
};

export const reasonText = (reason: string): string => REASONS[reason] ?? wordsOf(reason).toLowerCase();

const FRAUD_REASONS: Readonly<Record<string, string>> = {
  amount_over_limit: 'The amount is over the limit.',
  blocked_country: 'The country is blocked.',
  blocked_email: 'The e-mail address is blocked.',
  blocked_email_domain: 'The domain of the e-mail address is blocked.',
  blocked_customer: 'The customer is blocked.',
  blocked_ip: 'The IP address is blocked.',
};

export const fraudText = (reason: string): string => FRAUD_REASONS[reason] ?? `${wordsOf(reason)}.`;
