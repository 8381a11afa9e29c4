import { beforeEach, describe, expect, it } from 'vitest';
import type { Mail, MailPort } from '#shared/ports/mail.port.ts';

type MailSubject = { readonly mailer: MailPort; readonly arrived: () => readonly Mail[] };

const MAIL: Mail = {
  to: 'owner@example.com',
  subject: 'Your sign-in link',
  text: 'Open http://localhost/sign-in?token=t\n',
};

/** The contract of every mailer. `make` returns a new one that has sent nothing. */
export function mailContract(name: string, make: () => MailSubject | Promise<MailSubject>): void {
  describe(`${name} as a mailer`, () => {
    let subject: MailSubject;
    const send = (change: Partial<Mail> = {}) => subject.mailer.send({ ...MAIL, ...change });
    beforeEach(async () => {
      subject = await make();
    });

    it.each<[string, Partial<Mail>]>([
      ['a mail', {}],
      ['text in any language', { subject: 'Grüße – 你好 💳', text: 'Žluťoučký kůň\n\n你好' }],
      ['an empty text', { text: '' }],
      ['a long text', { text: 'line\n'.repeat(10_000) }],
      ['an address with a tag', { to: 'First.Last+shop@mail.example.com' }],
    ])('sends %s unchanged', async (_, change) => {
      await send(change);
      expect(subject.arrived()).toMatchObject([{ ...MAIL, ...change }]);
    });

    it('sends mails in order, and an identical one twice when it is sent twice', async () => {
      await send({ subject: 'first' });
      await send({ subject: 'second' });
      await send({ subject: 'second' });
      expect(subject.arrived().map((mail) => mail.subject)).toEqual(['first', 'second', 'second']);
    });

    it.each<[string, Partial<Mail>]>([
      ['no address', { to: '' }],
      ['an invalid address', { to: 'owner' }],
      ['two addresses', { to: 'a@example.com, b@example.com' }],
      ['an address with a header injection', { to: 'a@example.com\r\nBcc: b@example.com' }],
      ['an address with a name', { to: 'Owner <owner@example.com>' }],
      ['no subject', { subject: '' }],
      ['a subject with a header injection', { subject: 'Hello\r\nBcc: b@example.com' }],
      ['a subject that is too long', { subject: 'x'.repeat(1_000) }],
    ])('rejects %s, and sends nothing', async (_, change) => {
      await expect(send(change)).rejects.toMatchObject({ name: 'MailError', kind: 'rejected' });
      expect(subject.arrived()).toEqual([]);
    });

    it('does not reveal the address in its error', async () => {
      await expect(send({ subject: '' })).rejects.not.toThrow('owner@example.com');
    });
  });
}
