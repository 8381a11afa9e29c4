import { describe, expect, it } from 'vitest';
import { DE } from '#client/dashboard/i18n/payment-words-de.catalog.ts';
import { ES } from '#client/dashboard/i18n/payment-words-es.catalog.ts';
import { FR } from '#client/dashboard/i18n/payment-words-fr.catalog.ts';
import { NL } from '#client/dashboard/i18n/payment-words-nl.catalog.ts';
import { PT } from '#client/dashboard/i18n/payment-words-pt.catalog.ts';
import { ADVICE } from '#client/dashboard/screens/payment/failure-advice.ts';
import { FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import { PAYMENT_STATUSES } from '#shared/domain/payments/payment.model.ts';

describe.each(Object.entries({ DE, ES, FR, NL, PT }))('the words for payments in %s', (_, { statuses, failures }) => {
  it('name every status', () => expect(Object.keys(statuses).sort()).toEqual([...PAYMENT_STATUSES].sort()));

  it('name every failure, each in few enough words for a cell of a list', () => {
    expect(Object.keys(failures).sort()).toEqual(Object.keys(FAILURES).sort());
    expect(Object.values(failures).filter((words) => words === '' || words.length > 36)).toEqual([]);
  });
});

it('has an advice for every failure of a payment, and none for what is no failure', () =>
  expect(Object.keys(ADVICE).sort()).toEqual(Object.keys(FAILURES).sort()));
