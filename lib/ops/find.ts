import type { OpsDeps, OpsHost, OpsResult } from '#lib/ops/ops-host.ts';
import { allOrganizations, allPayments } from '#lib/recovery/walk-records.ts';
import { parseKey } from '#shared/domain/accounts/api-key.model.ts';
import { isEmail } from '#shared/domain/reference/email.rules.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { type IdKind, idTime } from '#shared/kernel/ids.ts';
import { isRequestId } from '#shared/kernel/operation.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { type ItemLocation, kindOf, locateItem } from '#shared/store/locate-item.ts';

/** What was found. `facts` has only fields that identify a record or say how it stands: no secret, no card, no text. */
export type Found = {
  readonly id: string;
  readonly kind: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly location: ItemLocation | undefined;
};

/** An id of ours, a provider's reference, or a mail address. */
export async function find(text: string, orgId: string | undefined, host: OpsHost): Promise<OpsResult> {
  // It stays out of what is printed, and so out of the logs of whoever runs this.
  if (parseKey(text))
    throw new Error('This is an API key. Keys are found by their id (key_…). If it leaked, revoke it.');
  const found = isEmail(text) ? await byMail(text, host) : await byId(text, orgId, host);
  return { text: found.length > 0 ? found.map(foundText).join('\n') : nothing(text, orgId), data: found };
}

async function byMail(email: string, host: OpsHost): Promise<readonly Found[]> {
  const { users, owners } = host.deps;
  const [user, owner] = await Promise.all([users.byEmail(email), owners.byEmail(email)]);
  const memberships = user ? await users.memberships(user.id) : [];
  return [
    ...(user ? [await foundAt(host, user.id, 'user', { created_at: user.created_at })] : []),
    ...memberships.map(({ org_id, role }) => ({
      id: org_id,
      kind: 'membership',
      facts: { role },
      location: undefined,
    })),
    ...(owner ? [{ id: owner.org_id, kind: 'owner', facts: factsOf(owner), location: undefined }] : []),
  ];
}

const foundAt = async (
  { table }: Pick<OpsHost, 'table'>,
  id: string,
  kind: string,
  record: object,
  orgId?: string,
): Promise<Found> => ({ id, kind, facts: factsOf(record), location: await locateItem(table, id, orgId) });

/** The fields that may be shown. Anything else of a record stays where it is. */
const SHOWN = [
  'org_id',
  'status',
  'mode',
  'amount',
  'amount_refunded',
  'amount_disputed',
  'authorized_amount',
  'captured_amount',
  'capturable_until',
  'respond_by',
  'currency',
  'provider',
  'connection_id',
  'psp_reference',
  'invoice_id',
  'payment_id',
  'subscription_id',
  'plan_id',
  'number',
  'kyc',
  'plan',
  'quarantined_at',
  'type',
  'tries',
  'next_attempt_at',
  'bills_at',
  'next_retry_at',
  'created_at',
  'updated_at',
  'deleted_at',
  'revoked_at',
  'due_at',
  'version',
  'role',
  'taken_up_at',
] as const;

function factsOf(record: object): Readonly<Record<string, unknown>> {
  const fields: Readonly<Record<string, unknown>> = { ...record };
  const shown = SHOWN.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]] as const]));
  const { attempts, outbox } = fields;
  return {
    ...Object.fromEntries(shown),
    ...(Array.isArray(attempts) && { attempts: attempts.map(attemptText) }),
    ...(Array.isArray(outbox) &&
      outbox.length > 0 && { waiting_events: outbox.map(({ id, type }) => `${id} ${type}`) }),
  };
}

type AttemptLike = Partial<Record<'id' | 'status' | 'phase' | 'psp_reference' | 'at' | 'status_code', unknown>>;
const attemptText = ({ id, status, phase, psp_reference, at, status_code }: AttemptLike): string =>
  [id, status, phase, psp_reference, at, status_code].filter((each) => each != null).join(' ');

async function byId(text: string, orgId: string | undefined, host: OpsHost): Promise<readonly Found[]> {
  if (isRequestId(text)) return [];
  const kind = kindOf(text);
  if (kind === undefined) return byReference(text, host);
  if (isPartKind(kind)) return byPart(text, orgId, host);
  if (kind === 'session') return [];
  const direct = await directly(kind, text, host.deps);
  if (direct) return [await foundAt(host, text, kind, direct)];
  return inOrganizations(kind, text, orgId, host);
}

/** Kinds whose id is enough. */
function directly(kind: IdKind, id: string, deps: OpsDeps): Promise<object | undefined> {
  switch (kind) {
    case 'payment':
      return deps.payments.byId(id);
    case 'subscription':
      return deps.subscriptions.byId(id);
    case 'invoice':
      return deps.invoices.byId(id);
    case 'dispute':
      return deps.disputes.byId(id);
    case 'link':
      return deps.paymentLinks.byId(id);
    case 'execution':
      return deps.executions.byId(id);
    case 'organization':
      return deps.organizations.byId(id);
    case 'user':
      return deps.users.get(id);
    default:
      return Promise.resolve(undefined);
  }
}

/** Kinds that lie with their organization: without its id, each organization is asked. */
async function inOrganizations(
  kind: IdKind,
  id: string,
  orgId: string | undefined,
  host: OpsHost,
): Promise<readonly Found[]> {
  for await (const org of orgId === undefined ? allOrganizations(host.deps) : [orgId]) {
    const record = await ofOrganization(kind, org, id, host.deps);
    if (record) return [await foundAt(host, id, kind, { org_id: org, ...record }, org)];
  }
  return [];
}

async function ofOrganization(kind: IdKind, org: string, id: string, deps: OpsDeps): Promise<object | undefined> {
  switch (kind) {
    case 'connection':
      return deps.connections.get(org, id);
    case 'event':
      return deps.events.get(org, id);
    case 'rule':
      return deps.routingRules.get(org, id);
    case 'abTest':
      return deps.abTests.get(org, id);
    case 'key':
      return (await deps.keys.list(org)).find((key) => key.id === id);
    default:
      return undefined;
  }
}

async function byReference(reference: string, host: OpsHost): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const provider of PROVIDERS) {
    const payment = await host.deps.payments.byReference(provider, reference);
    if (payment) found.push(await foundAt(host, payment.id, 'payment', payment));
  }
  return found;
}

const isPartKind = (kind: string | undefined): boolean => kind === 'attempt' || kind === 'refund' || kind === 'capture';

/** They lie in their payment, which was made or changed at about the time that the id names. */
async function byPart(id: string, orgId: string | undefined, host: OpsHost): Promise<readonly Found[]> {
  const made = idTime(id);
  const window = { created_after: plus(made, -MINUTE).toISOString(), created_before: plus(made, MINUTE).toISOString() };
  for await (const org of orgId === undefined ? allOrganizations(host.deps) : [orgId])
    for await (const payment of allPayments(org, orgId === undefined ? window : {}, host.deps)) {
      const parts = [...payment.attempts, ...payment.refunds, ...(payment.captures ?? [])];
      if (parts.some((part) => part.id === id)) return [await foundAt(host, payment.id, 'payment', payment)];
    }
  return [];
}

const foundText = ({ id, kind, facts, location }: Found): string =>
  [
    `${id}  ${kind}`,
    ...Object.entries(facts).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => `  ${name.padEnd(16)} ${each}`),
    ),
    ...(location
      ? [
          `  ${'key'.padEnd(16)} ${location.key} (${location.type}, ${location.bytes} bytes)`,
          ...Object.entries(location.entries).map(([index, entry]) => `  ${`index ${index}`.padEnd(16)} ${entry}`),
        ]
      : []),
    '',
  ].join('\n');

function nothing(text: string, orgId: string | undefined): string {
  const kind = kindOf(text);
  if (isRequestId(text))
    return `A request is in the log only. Search the lines with request_id ${text} over all log groups of the stage.\n`;
  if (isPartKind(kind) && orgId === undefined)
    return `No payment of its time has ${text}. Add --org: all payments of that organization are then searched.\n`;
  return `There is no ${text}${orgId === undefined ? '' : ` in ${orgId}`}.\n`;
}
