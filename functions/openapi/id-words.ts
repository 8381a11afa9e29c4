import { ID_PREFIX, type IdKind } from '#shared/kernel/ids.ts';

/** What people call the objects of each kind. */
const NOUNS: Readonly<Record<IdKind, string>> = {
  organization: 'organization',
  key: 'API key',
  connection: 'connection',
  rule: 'routing rule',
  abTest: 'A/B test',
  payment: 'payment',
  attempt: 'attempt',
  refund: 'refund',
  capture: 'capture',
  subscription: 'subscription',
  invoice: 'invoice',
  dispute: 'dispute',
  event: 'event',
  link: 'payment link',
  paymentMethod: 'saved payment method',
  erasure: 'erasure',
  integration: 'integration',
  template: 'workflow template',
  workflowRule: 'workflow rule',
  execution: 'workflow execution',
  user: 'user',
  session: 'session',
  act: 'audit entry',
  approval: 'request for approval',
  request: 'request',
  run: 'run',
};

const KINDS = Object.entries(ID_PREFIX) as readonly (readonly [IdKind, string])[];

type Parameter = { readonly in?: unknown; readonly name?: unknown; readonly schema?: unknown };

/** The words for `id` in a path: its example tells of what kind it is. */
export function idWords({ in: place, name, schema }: Parameter): string | undefined {
  if (place !== 'path' || name !== 'id') return undefined;
  const { example } = schema as { readonly example?: string };
  const kind = KINDS.find(([, prefix]) => example?.startsWith(`${prefix}_`))?.[0];
  return kind && `The id of the ${NOUNS[kind]}.`;
}
