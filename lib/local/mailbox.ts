export type Mail = { readonly to: string; readonly subject: string; readonly text: string; readonly sent_at: string };

/** Where this host's mail ends: nothing leaves the machine. Oldest first, and gone with the process. */
export class Mailbox {
  readonly #mails: Mail[] = [];

  deliver(mail: Mail): void {
    this.#mails.push(mail);
  }

  to(address: string | undefined): readonly Mail[] {
    return this.#mails.filter((mail) => address === undefined || mail.to.toLowerCase() === address.toLowerCase());
  }
}
