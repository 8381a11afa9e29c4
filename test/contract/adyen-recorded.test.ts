import { adyen } from '#shared/psp/adyen/adapter.ts';
import { describeRecordedAnswers, type RecordedAnswer } from '#test/contract/recorded-answers.ts';
import recorded from '#test/fixtures/adyen/recorded-answers.json' with { type: 'json' };

const credentials = { api_key: 'AQE_key_of_the_shop', merchant_account: 'ShopECOM', webhook_secret: 'AB'.repeat(32) };

describeRecordedAnswers(adyen, credentials, recorded as readonly RecordedAnswer[], { atLeast: 100 });
