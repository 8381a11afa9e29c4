/**
 * The texts that can answer a dispute, and the most characters of each. One vocabulary for all PSPs: each takes those
 * that its own form has (`DisputeFacts.evidenceFields`), and the adapter maps them. Dates are `YYYY-MM-DD`.
 */
export const EVIDENCE_FIELDS = {
  /** In the merchant's own words. Every PSP with an API for evidence takes it. */
  explanation: 20_000,
  product_description: 20_000,
  customer_name: 200,
  customer_email: 254,
  customer_ip: 45,
  customer_phone: 40,
  billing_address: 1_000,
  shipping_address: 1_000,
  shipping_carrier: 100,
  tracking_number: 200,
  shipping_date: 10,
  service_date: 10,
  refund_policy: 20_000,
  refund_refusal: 20_000,
  cancellation_policy: 20_000,
  cancellation_refusal: 20_000,
  access_log: 20_000,
  duplicate_explanation: 20_000,
} as const satisfies Readonly<Record<string, number>>;

export type EvidenceField = keyof typeof EVIDENCE_FIELDS;
