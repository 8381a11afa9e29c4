/** What became of a charge or refund that a provider lists as ours. */
export type FoundResult =
  /** Our records have it. */
  | 'known'
  /** A payment was made of it, or would be. */
  | 'recovered'
  /** It belongs to a payment that we have, which did not have this charge. */
  | 'added'
  /** The provider's list does not say enough, or its look-up failed. */
  | 'not_recovered';

/** Whether a person must find out, or another run of the command may. */
export type Knowable = 'never' | 'later';

export type FoundCharge = {
  readonly payment_id: string | null;
  readonly org_id: string;
  readonly connection_id: string;
  readonly provider: string;
  readonly reference: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly at: string;
  readonly description: string | null;
  readonly result: FoundResult;
  /** The payment's status afterwards; null if it was not written. */
  readonly status: string | null;
  readonly reason?: string;
  /** Of one that was not recovered. */
  readonly known?: Knowable;
};

/** `read`: the provider's list was read to its end. Anything else leaves charges that cannot be known. */
export type ConnectionResult = {
  readonly org_id: string;
  readonly connection_id: string;
  readonly provider: string;
  readonly result: 'read' | 'incomplete' | 'no_list' | 'failed';
  readonly listed: number;
  readonly ours: number;
  readonly reason?: string;
};

export type FoundRefund = {
  readonly payment_id: string | null;
  readonly org_id: string;
  readonly provider: string;
  readonly reference: string;
  readonly at: string;
  /** `read`: the refunds of its charge are read from the provider. */
  readonly result: 'known' | 'read' | 'not_recovered';
  readonly reason?: string;
};

export type RenewalResult = {
  readonly subscription_id: string;
  readonly org_id: string;
  readonly due_at: string;
  /**
   * `billed`: its charge was found, and its period is billed with it. `paused`, `postponed`: whether it was charged
   * cannot be known, or not yet. `not_charged`: the provider has no charge, so it is charged as usual.
   */
  readonly result: 'billed' | 'paused' | 'postponed' | 'not_charged';
  readonly payment_id?: string;
};

export type RecoveryReport = {
  readonly from: string;
  readonly until: string;
  /** Whether anything was written. */
  readonly written: boolean;
  readonly connections: readonly ConnectionResult[];
  readonly charges: readonly FoundCharge[];
  readonly refunds: readonly FoundRefund[];
  readonly renewals: readonly RenewalResult[];
};

const countBy = <T extends string>(results: readonly { readonly result: T }[]): string => {
  const counts = new Map<T, number>();
  for (const { result } of results) counts.set(result, (counts.get(result) ?? 0) + 1);
  return [...counts].map(([result, n]) => `${n} ${result.replace('_', ' ')}`).join(', ') || 'none';
};

/** What a person must look at: it cannot be known from here. */
export const openPoints = ({ connections, charges, refunds, renewals }: RecoveryReport): readonly string[] => [
  ...connections
    .filter(({ result }) => result !== 'read')
    .map(({ provider, connection_id, org_id, result, reason = '' }) =>
      `${provider} ${connection_id} of ${org_id}: ${result.replace('_', ' ')}. ${reason}`.trim(),
    ),
  ...charges
    .filter(({ result }) => result === 'not_recovered')
    .map(
      ({ provider, reference, payment_id, org_id, reason = '' }) =>
        `${provider} charge ${reference} of ${org_id} (${payment_id ?? 'no payment id'}): ${reason}`,
    ),
  ...refunds
    .filter(({ result }) => result === 'not_recovered')
    .map(({ provider, reference, reason = '' }) => `${provider} refund of charge ${reference}: ${reason}`),
  ...renewals
    .filter(({ result }) => result === 'paused' || result === 'postponed')
    .map(({ subscription_id, org_id, result, due_at }) => `${subscription_id} of ${org_id}: ${result}, due ${due_at}.`),
];

export function reportText(report: RecoveryReport): string {
  const { from, until, written, connections, charges, refunds, renewals } = report;
  const open = openPoints(report);
  const money = charges.filter(({ result }) => result !== 'known');
  return [
    `${written ? 'Reconciled' : 'Would reconcile'} ${from} to ${until}`,
    `  connections  ${countBy(connections)}`,
    `  charges      ${countBy(charges)}`,
    `  refunds      ${countBy(refunds)}`,
    `  renewals     ${countBy(renewals)}`,
    ...(money.length > 0 ? ['', 'Charges that our records did not have:', ...firstLines(money)] : []),
    ...(open.length > 0 ? ['', 'Cannot be known from here:', ...open.map((line) => `  ${line}`)] : []),
    '',
  ].join('\n');
}

const MAX_LINES = 30;

function firstLines(charges: readonly FoundCharge[]): readonly string[] {
  const lines = charges.slice(0, MAX_LINES).map(chargeLine);
  return charges.length > MAX_LINES ? [...lines, `  and ${charges.length - MAX_LINES} more: --json shows all`] : lines;
}

const chargeLine = ({ payment_id, provider, reference, amount, currency, result, status }: FoundCharge): string =>
  `  ${[payment_id ?? '-', provider, reference, amount ?? '?', currency ?? '', result, status ?? ''].join('  ').trim()}`;
