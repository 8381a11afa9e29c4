import { readFileSync } from 'node:fs';
import { checkout } from '#shared/psp/checkout/adapter.ts';
import { describeRecordedAnswers, type RecordedAnswer } from '#test/contract/recorded-answers.ts';

const file = new URL('../fixtures/checkout/recorded-answers.json', import.meta.url);
const answers: readonly RecordedAnswer[] = JSON.parse(readFileSync(file, 'utf8'));

const credentials = {
  secret_key: `sk_sbox_${'a'.repeat(27)}`,
  processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
  host_prefix: 'demo1234',
  webhook_secret: 'signature-key-of-the-shop',
};

describeRecordedAnswers(checkout, credentials, answers, { atLeast: 90 });
