import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** Whose callbacks an address is for. It proves nothing: the signature of each event does. */
export type AddressedConnection = Pick<Connection, 'id' | 'org_id'>;

export const addressQuery = ({ id, org_id }: AddressedConnection): string =>
  new URLSearchParams({ connection: id, org: org_id }).toString();

/** Undefined at the address that all connections of a provider share. Throws for a half of an address. */
export function readAddress(query: Readonly<Record<string, string | undefined>>): AddressedConnection | undefined {
  const { connection, org } = query;
  if (connection === undefined) return undefined;
  if (org === undefined || !PART.test(connection) || !PART.test(org))
    throw new AppError(
      'invalid_request',
      'This address names no connection. Register the whole callback_url of GET /v1/connections/{id}, with its ' +
        'parameters connection and org.',
    );
  return { id: connection, org_id: org };
}

const PART = /^[A-Za-z0-9_-]{1,64}$/;
