import type { EvidenceName } from '#client/dashboard/screens/disputes/disputes-messages.ts';

/** How each kind of evidence is typed in, and how long it may be, as the API takes it. */
export const EVIDENCE_INPUTS: Readonly<
  Record<EvidenceName, { readonly kind: 'line' | 'text' | 'date'; readonly max: number }>
> = {
  explanation: { kind: 'text', max: 20_000 },
  product_description: { kind: 'text', max: 20_000 },
  customer_name: { kind: 'line', max: 200 },
  customer_email: { kind: 'line', max: 254 },
  customer_ip: { kind: 'line', max: 45 },
  customer_phone: { kind: 'line', max: 40 },
  billing_address: { kind: 'text', max: 1_000 },
  shipping_address: { kind: 'text', max: 1_000 },
  shipping_carrier: { kind: 'line', max: 100 },
  tracking_number: { kind: 'line', max: 200 },
  shipping_date: { kind: 'date', max: 10 },
  service_date: { kind: 'date', max: 10 },
  refund_policy: { kind: 'text', max: 20_000 },
  refund_refusal: { kind: 'text', max: 20_000 },
  cancellation_policy: { kind: 'text', max: 20_000 },
  cancellation_refusal: { kind: 'text', max: 20_000 },
  access_log: { kind: 'text', max: 20_000 },
  duplicate_explanation: { kind: 'text', max: 20_000 },
};

export const isEvidenceName = (name: string): name is EvidenceName => Object.hasOwn(EVIDENCE_INPUTS, name);
