import { mollie } from '#shared/psp/mollie/adapter.ts';
import { describeRecordedAnswers, type RecordedAnswer } from '#test/contract/recorded-answers.ts';
import recorded from '#test/fixtures/mollie/recorded-answers.json' with { type: 'json' };

/** Mollie publishes few answers about failed payments. Its reasons are put into the payment that it documents. */
describeRecordedAnswers(mollie, { api_key: 'test_shop' }, recorded as readonly RecordedAnswer[], { atLeast: 90 });
