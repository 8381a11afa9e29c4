import { settingsOf } from '#shared/domain/accounts/organization.rules.ts';
import {
  type ConnectionWorkflow,
  type EventType,
  startsConnectionWorkflow,
} from '#shared/domain/reference/events.catalog.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** `mayMail`: the event is about a payment with the customer's mail address. */
export type EventContext = { readonly through?: ConnectionWorkflow; readonly mayMail?: boolean };
type PublishedEvent = { readonly type: EventType; readonly org_id: string; readonly created_at: string };

/**
 * Whether an event starts a workflow or mails a receipt. What was read after the event is exact, however old it is by
 * now: a rule that was created or changed after an event does not match it. So all events of a batch take one read.
 */
export async function triggersWork(
  { type, org_id, created_at }: PublishedEvent,
  { through, mayMail = false }: EventContext,
  { workflows, organizations, clock }: Pick<Deps, 'workflows' | 'organizations' | 'clock'>,
): Promise<boolean> {
  if (through && startsConnectionWorkflow(type)) return true;
  const since = new Date(created_at);
  const rules = await workflows.recentRules(org_id, clock.now(), since);
  if (rules.some(({ enabled, event }) => enabled && event === type)) return true;
  if (!mayMail || type !== 'payment.succeeded') return false;
  const organization = await organizations.recent(org_id, clock.now(), since);
  return organization !== undefined && settingsOf(organization).email_receipts;
}
