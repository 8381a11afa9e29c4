import type { CreateWorkflowRule } from '#client/typescript/src/generated/schemas.ts';

export type RuleEvent = CreateWorkflowRule['event'];

/** Each event that a rule may be about. One that is missing here does not compile. */
const EVENTS: Readonly<Record<RuleEvent, true>> = {
  'payment.created': true,
  'payment.authorized': true,
  'payment.authorization_expiring': true,
  'payment.captured': true,
  'payment.capture_failed': true,
  'payment.succeeded': true,
  'payment.failed': true,
  'payment.canceled': true,
  'payment.refunded': true,
  'subscription.created': true,
  'subscription.updated': true,
  'subscription.canceled': true,
  'subscription.paused': true,
  'subscription.resumed': true,
  'subscription.renewed': true,
  'invoice.created': true,
  'invoice.paid': true,
  'invoice.failed': true,
  'invoice.canceled': true,
  'payment_link.paid': true,
  'dispute.created': true,
  'dispute.updated': true,
  'dispute.response_due': true,
  'dispute.closed': true,
};

const isRuleEvent = (name: string): name is RuleEvent => Object.hasOwn(EVENTS, name);

export const RULE_EVENTS: readonly RuleEvent[] = Object.keys(EVENTS).filter(isRuleEvent);
