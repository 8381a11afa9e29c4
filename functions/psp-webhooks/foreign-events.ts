import { invalidSignature } from '#functions/psp-webhooks/resolve-webhook-target.ts';
import type { AddressedConnection } from '#shared/domain/routing/callback-address.rules.ts';
import type { Connection, Provider } from '#shared/domain/routing/connection.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Deadline, type InboundCallback, PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

type ForeignDeps = Pick<Deps, 'connections' | 'psp' | 'clock' | 'log'>;

/** The connection whose secret proves who sent a callback, and a session with the credentials that did. */
export type WebhookSender = { readonly connection: Connection; readonly session: PspSession };

/** A callback at the address of a connection. */
export type AddressedCallback = {
  readonly callback: InboundCallback;
  readonly provider: Provider;
  readonly address: AddressedConnection;
};

/**
 * Verifies who sent what a connection's account sends besides the events of our payments. An unknown connection gets
 * the same response as a wrong signature, so that nobody can search for ids.
 */
export async function verifySender(
  { callback, provider, address }: AddressedCallback,
  deadline: Deadline,
  deps: ForeignDeps,
): Promise<WebhookSender> {
  const connection = await deps.connections.get(address.org_id, address.id);
  if (connection?.provider !== provider) throw notOfThisConnection();
  const session = await sessionOfSender(callback, connection, deadline, deps);
  if (!session) throw notOfThisConnection();
  if (connection.deleted_at !== undefined)
    throw new AppError(
      'webhook_unroutable',
      `The connection ${connection.id} was deleted. Remove this address from the webhooks of ${provider}.`,
    );
  return { connection, session };
}

/** Whether its signature proves the sender. Anybody can send what needs none, so it may cause no write and no look-up. */
export const isProved = ({ session }: WebhookSender, callback: InboundCallback): boolean =>
  !(session.adapter.unsignedCallbacks && session.isUnsigned(callback));

const notOfThisConnection = (): AppError =>
  new AppError(
    'invalid_signature',
    `${invalidSignature().message} Compare the address with callback_url of GET /v1/connections/{id}, and the ` +
      'webhook secret at the provider with the one in the credentials of that connection.',
  );

/** Replaced credentials are accepted while they are kept: their account may still send here. */
async function sessionOfSender(
  callback: InboundCallback,
  connection: Connection,
  deadline: Deadline,
  { psp }: ForeignDeps,
): Promise<PspSession | undefined> {
  const former = connection.former.map(({ sealed_credentials }) => sealed_credentials);
  for (const sealed_credentials of [connection.sealed_credentials, ...former.reverse()]) {
    if (sealed_credentials === '') continue;
    const session = await unlessRefused(psp.open({ ...connection, sealed_credentials }, deadline));
    if (await session?.verifyCallback(callback, 'sender')) return session;
  }
  return undefined;
}

/** Credentials that cannot be opened verify nothing. */
async function unlessRefused(opening: Promise<PspSession>): Promise<PspSession | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof PspRefused) return undefined;
    throw error;
  }
}

/** A count that cannot be written is no reason to have the event sent again. */
export async function countForeign(connection: Connection, count: number, deps: ForeignDeps): Promise<void> {
  try {
    await deps.connections.countForeignEvents(connection, count, deps.clock.now());
  } catch (error) {
    deps.log.warn('foreign_events_not_counted', { error });
  }
}
