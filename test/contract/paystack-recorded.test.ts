import { paystack } from '#shared/psp/paystack/adapter.ts';
import { describeRecordedAnswers, type RecordedAnswer } from '#test/contract/recorded-answers.ts';
import answers from '#test/fixtures/paystack/recorded-answers.json' with { type: 'json' };

describeRecordedAnswers(
  paystack,
  { secret_key: 'sk_test_of_records' },
  answers as unknown as readonly RecordedAnswer[],
  { atLeast: 80 },
);
