import { describe, expect, it } from 'vitest';
import { sendMagicLink } from '#functions/auth/magic-link.usecase.ts';
import { sesMail } from '#shared/adapters/aws/ses-mailer.adapter.ts';
import type { Caller } from '#shared/ports/caller.ts';
import { stoppedClock } from '#test/support/stopped-clock.ts';

const CALLER = { ip: '203.0.113.9' } as Caller;

/** Notes every use of what a sign-in link is counted and stored with. */
function stage(from: string | undefined) {
  const used: string[] = [];
  const noting = (name: string, result: unknown) => async () => {
    used.push(name);
    return result;
  };
  const mail = sesMail(from);
  const deps = {
    mail: { ...mail, ...(from !== undefined && { send: noting('mailed', undefined) }) },
    rates: { countSignIn: noting('counted', { exceeded: undefined }) },
    signInLinks: { create: noting('stored', undefined) },
    clock: stoppedClock(),
    config: { hashSecret: 'a secret for hashes', pagesUrl: 'https://pages.example' },
    log: { info: noting('logged', undefined), warn: noting('logged', undefined), error: noting('logged', undefined) },
  };
  return { used, ask: () => sendMagicLink({ email: 'owner@example.com' }, CALLER, deps as never) };
}

describe('a sign-in link', () => {
  it('is refused on a stage without a mail sender by an error that says so, and counts and stores nothing', async () => {
    const { used, ask } = stage(undefined);
    await expect(ask()).rejects.toMatchObject({
      code: 'mail_not_configured',
      status: 409,
      message: expect.stringMatching(/sends no mail.*passkey.*mail sender/),
    });
    expect(used).toEqual([]);
  });

  it('is counted, stored and mailed on a stage with one', async () => {
    const { used, ask } = stage('payfork@example.com');
    expect(await ask()).toMatchObject({ sent: true });
    expect(used).toEqual(['counted', 'stored', 'mailed']);
  });
});
