import { describe, expect, it } from 'vitest';
import { EVIDENCE_INPUTS } from '#client/dashboard/screens/disputes/evidence-fields.ts';
import { reviewOutcome } from '#client/dashboard/screens/reviews/review-outcome.ts';
import type { ReviewMessages } from '#client/dashboard/screens/reviews/reviews-messages.ts';
import { draftOf, inputOf, updateOf } from '#client/dashboard/screens/workflows/integration-input.ts';
import { stepsIn } from '#client/dashboard/screens/workflows/template-json.ts';
import type { Integration, Payment } from '#client/typescript/src/generated/schemas.ts';
import { EVIDENCE_FIELDS } from '#shared/domain/disputes/evidence.catalog.ts';

it('the form of a dispute has an input for all evidence that the API takes, and the same lengths', () =>
  expect(Object.fromEntries(Object.entries(EVIDENCE_INPUTS).map(([name, { max }]) => [name, max]))).toEqual(
    EVIDENCE_FIELDS,
  ));

/** Each text is its own name, so that the test sees which was chosen. */
const TEXTS = new Proxy({} as ReviewMessages, { get: (_, name) => () => String(name) });

describe('what the end of a review will do', () => {
  const payment = (more: object): Payment =>
    ({ status: 'succeeded', provider: 'stripe', currency: 'EUR', refunds: [], attempts: [], ...more }) as never;
  const refund = (psp_reference: string | null) => ({ id: 'ref_1', amount: 500, psp_reference });

  it.each<[string, Payment, string]>([
    ['a payment without an outcome is canceled', payment({ status: 'processing', review: {} }), 'willCancel'],
    ['a paid one keeps its status', payment({ review: { reason: 'amount_mismatch' } }), 'willStay'],
    [
      'a refund that the provider never confirmed counts as failed',
      payment({ review: { refund_id: 'ref_1' }, refunds: [refund(null)] }),
      'willFailRefund',
    ],
    [
      'a refund that the provider has named is left as it is',
      payment({ review: { refund_id: 'ref_1' }, refunds: [refund('re_1')] }),
      'willLeaveRefund',
    ],
    [
      'a capture that was never confirmed counts as failed',
      payment({ status: 'authorized', review: { capture_id: 'cap_1' }, captures: [{ id: 'cap_1', amount: 5 }] }),
      'willFailCapture',
    ],
  ])('%s', (_, given, expected) => expect(reviewOutcome(given, TEXTS, String)).toEqual(['checkFirst', expected]));
});

describe('what is sent for an integration', () => {
  const slack: Integration = {
    ...{ id: 'wfi_1', org_id: 'org_1', name: 'Channel', enabled: true, created_at: '', updated_at: '' },
    type: 'slack',
    config: { url: 'https://hooks.slack.com' },
  };

  it('is nothing while its name or its address is missing', () => {
    expect(inputOf({ ...draftOf(undefined), name: 'CRM' }, undefined)).toBeUndefined();
    expect(inputOf({ ...draftOf(undefined), url: 'https://crm.example' }, undefined)).toBeUndefined();
  });

  it('has each header of the text, also one whose value has a colon', () => {
    const draft = { ...draftOf(undefined), name: 'CRM', url: 'https://crm.example', headers: 'a: 1\n\nb: x:y ' };
    expect(inputOf(draft, undefined)).toEqual({
      name: 'CRM',
      type: 'http',
      enabled: true,
      config: { url: 'https://crm.example', headers: { a: '1', b: 'x:y' } },
    });
  });

  it('leaves a secret that is not typed in as it is stored', () => {
    const input = inputOf({ ...draftOf(slack), name: 'Other name' }, slack);
    expect(input && updateOf(input)).toEqual({ name: 'Other name', enabled: true });
  });

  it('takes addresses of mail with any separator', () => {
    const draft = { ...draftOf(undefined), type: 'email', name: 'Finance', to: 'a@x.example; b@x.example' } as const;
    expect(inputOf(draft, undefined)?.config).toEqual({ to: ['a@x.example', 'b@x.example'] });
  });
});

describe('the steps of a template as text', () => {
  it('are a list, or a fault in plain words', () => {
    expect(stepsIn('[]')).toEqual({ steps: [] });
    expect(stepsIn('{}')).toEqual({ fault: expect.stringContaining('list of steps') });
    expect(stepsIn('[')).toEqual({ fault: expect.stringContaining('not JSON') });
  });
});
