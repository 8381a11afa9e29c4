import { stripe } from '#shared/psp/stripe/adapter.ts';
import { describeRecordedAnswers, type RecordedAnswer } from '#test/contract/recorded-answers.ts';
import recorded from '#test/fixtures/stripe/recorded-answers.json' with { type: 'json' };

describeRecordedAnswers(
  stripe,
  { secret_key: 'sk_test_recorded', webhook_secret: 'whsec_recorded' },
  recorded as readonly RecordedAnswer[],
);
