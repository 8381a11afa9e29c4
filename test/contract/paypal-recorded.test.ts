import { paypal } from '#shared/psp/paypal/adapter.ts';
import { describeRecordedAnswers, type RecordedAnswer } from '#test/contract/recorded-answers.ts';
import accessToken from '#test/fixtures/paypal/access-token.json' with { type: 'json' };
import answers from '#test/fixtures/paypal/recorded-answers.json' with { type: 'json' };

const CREDENTIALS = {
  client_id: 'client-of-records',
  client_secret: 'secret-of-records',
  webhook_secret: '1JE4291016473214C',
};

describeRecordedAnswers(paypal, CREDENTIALS, answers as unknown as readonly RecordedAnswer[], {
  atLeast: 100,
  responsesByPath: { '/v1/oauth2/token': { body: accessToken } },
});
