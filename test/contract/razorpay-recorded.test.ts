import { razorpay } from '#shared/psp/razorpay/adapter.ts';
import { describeRecordedAnswers, type RecordedAnswer } from '#test/contract/recorded-answers.ts';
import recorded from '#test/fixtures/razorpay/recorded-answers.json' with { type: 'json' };

describeRecordedAnswers(
  razorpay,
  { key_id: 'rzp_test_1', key_secret: 'recorded', webhook_secret: 'recorded' },
  recorded as readonly RecordedAnswer[],
);
