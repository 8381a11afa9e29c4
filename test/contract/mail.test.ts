import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Mailbox } from '#lib/local/mailbox.ts';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { sesMail, sesMailer } from '#shared/adapters/aws/ses-mailer.adapter.ts';
import { mailContract } from '#test/contract/mail.contract.ts';
import { FAKE_ACCOUNT, type WireReply, wireError } from '#test/support/aws-wire.ts';
import { type SesFake, startSesFake } from '#test/support/ses-fake.ts';
import { stoppedClock } from '#test/support/stopped-clock.ts';

const FROM = 'payfork@example.com';
const MAIL = { to: 'owner@example.com', subject: 'Hello', text: 'Hello.' };

let fake: SesFake;
beforeAll(async () => {
  fake = await startSesFake(FROM);
});
afterAll(() => fake.stop());

const ses = (from = FROM) =>
  sesMailer({ client: new SESv2Client({ ...RETRYING, ...FAKE_ACCOUNT, endpoint: fake.endpoint }), from });

mailContract("the local host's mailbox", () => {
  const mailer = new Mailbox(stoppedClock());
  return { mailer, arrived: () => mailer.to(undefined) };
});

mailContract('SES', () => {
  const before = fake.taken.length;
  return { mailer: ses(), arrived: () => fake.taken.slice(before) };
});

describe("the local host's mailbox", () => {
  it('finds mails by address, whatever the case, with their time', async () => {
    const clock = stoppedClock();
    const mailbox = new Mailbox(clock);
    await mailbox.send(MAIL);
    await mailbox.send({ ...MAIL, to: 'other@example.com' });
    expect(mailbox.to('Owner@Example.com')).toEqual([{ ...MAIL, sent_at: clock.now().toISOString() }]);
  });
});

describe('SES', () => {
  let before: number;
  const calls = () => fake.calls.length - before;
  beforeEach(() => {
    before = fake.calls.length;
  });

  it('sends from the sender address of the stage', async () => {
    await ses().send(MAIL);
    expect(fake.taken.at(-1)).toEqual({ from: FROM, ...MAIL });
  });

  it.each<[string, WireReply]>([
    ['throttling', wireError('TooManyRequestsException', 'Rate exceeded', 429)],
    ['an internal error', wireError('InternalServiceErrorException', 'internal', 500)],
    ['a broken connection', 'drop'],
  ])('retries a call after %s', async (_, reply) => {
    fake.fail(reply);
    await ses().send(MAIL);
    expect([calls(), fake.taken.at(-1)]).toEqual([2, { from: FROM, ...MAIL }]);
  });

  it.each([
    ['throttled', 'TooManyRequestsException', 429, 'throttled', 3],
    ['over the quota of the account', 'LimitExceededException', 400, 'throttled', 3],
    ['a mail that SES rejects', 'MessageRejected', 400, 'rejected', 1],
    ['a request that SES cannot read', 'BadRequestException', 400, 'rejected', 1],
    ['a sender that is not verified', 'MailFromDomainNotVerifiedException', 400, 'unavailable', 1],
    ['sending that is paused', 'SendingPausedException', 400, 'unavailable', 1],
    ['an account that is suspended', 'AccountSuspendedException', 400, 'unavailable', 1],
    ['missing permission', 'AccessDeniedException', 403, 'unavailable', 1],
    ['an internal error', 'InternalServiceErrorException', 500, 'unavailable', 3],
  ])('classifies the error: %s', async (_, name, status, kind, tries) => {
    fake.fail(...Array.from({ length: tries }, () => wireError(name, `${name} about ${MAIL.to}`, status)));
    await expect(ses().send(MAIL)).rejects.toMatchObject({
      name: 'MailError',
      kind,
      message: `SES did not accept the mail: ${name}.`,
    });
    expect(calls()).toBe(tries);
  });

  it('is unavailable while its sender is not verified, which SES reports as a rejected mail', async () => {
    await expect(ses('unverified@example.com').send(MAIL)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('says that it is missing where there is no sender address', async () => {
    expect([sesMail(undefined).isMissing, sesMail(FROM).isMissing]).toEqual([true, undefined]);
    await expect(sesMail(undefined).send(MAIL)).rejects.toMatchObject({
      kind: 'unconfigured',
      message: 'MAIL_FROM must be the sender address of mails.',
    });
  });

  it('creates its client with the first mail, from the environment', async () => {
    const mailer = sesMail(FROM);
    for (const [name, value] of Object.entries({
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'fake',
      AWS_SECRET_ACCESS_KEY: 'fake',
    }))
      vi.stubEnv(name, value);
    vi.stubEnv('AWS_ENDPOINT_URL_SESV2', fake.endpoint);
    await mailer.send(MAIL).finally(() => vi.unstubAllEnvs());
    expect(fake.taken.at(-1)).toEqual({ from: FROM, ...MAIL });
  });
});
