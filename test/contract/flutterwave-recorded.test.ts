import { readFileSync } from 'node:fs';
import { flutterwave } from '#shared/psp/flutterwave/adapter.ts';
import { describeRecordedAnswers, type RecordedAnswer } from '#test/contract/recorded-answers.ts';

const file = new URL('../fixtures/flutterwave/recorded-answers.json', import.meta.url);
const answers: readonly RecordedAnswer[] = JSON.parse(readFileSync(file, 'utf8'));

const credentials = { secret_key: `FLWSECK_TEST-${'a'.repeat(32)}-X`, webhook_secret: 'hash-of-the-shop' };

describeRecordedAnswers(flutterwave, credentials, answers, { atLeast: 100 });
