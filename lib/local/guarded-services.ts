import { FUNCTIONS, type FunctionName } from '#lib/aws/function-table.ts';
import { type Denial, type GuardOptions, guarded } from '#lib/local/guarded-calls.ts';
import { KIND_BY_PURPOSE } from '#shared/adapters/vault/vault-by-purpose.adapter.ts';
import type { BusPort } from '#shared/ports/bus.port.ts';
import type { MailPort } from '#shared/ports/mail.port.ts';
import type { QueueName, QueuePort } from '#shared/ports/queue.port.ts';
import type { SealContext, VaultPort } from '#shared/ports/vault.port.ts';

type Services = {
  readonly queue: QueuePort;
  readonly bus: BusPort;
  readonly vault: VaultPort;
  readonly mail: MailPort;
};

/** What functions call besides the table and providers, as each of them may on AWS. */
export const guardedServices = ({ queue, bus, vault, mail }: Services, options: GuardOptions): Services => ({
  queue: guarded(
    queue,
    (name, _, [to]) => denialUnless(FUNCTIONS[name].sendsTo?.includes(to as QueueName), name, `send to ${to}`),
    options,
  ),
  bus: guarded(bus, (name) => denialUnless(FUNCTIONS[name].publishes, name, 'publish events'), options),
  vault: guarded(vault, secretDenial, options),
  mail: guarded(mail, (name) => denialUnless(FUNCTIONS[name].mails, name, 'send mail'), options),
});

function secretDenial(name: FunctionName, method: string, [, context]: readonly unknown[]): Denial {
  const kind = KIND_BY_PURPOSE[(context as SealContext).purpose];
  const { secrets = [], seals = [] } = FUNCTIONS[name];
  return denialUnless(
    (method === 'open' ? secrets : seals).includes(kind),
    name,
    `${method} secrets of the kind ${kind}`,
  );
}

const denialUnless = (isAllowed: boolean | undefined, name: FunctionName, act: string): Denial =>
  isAllowed ? undefined : { denied: `${name} may not ${act}`, rights: 'lib/aws/function-table.ts' };
