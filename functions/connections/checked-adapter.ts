import type { SaveConnectionInput } from '#functions/connections/connections.schema.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';

/** The provider's adapter, once it has nothing to object to; all faults are told at once. */
export function checkedAdapter(input: SaveConnectionInput, current: Connection | undefined, { psp }: Pick<Deps, 'psp'>): PspAdapter {
  const provider = current?.provider ?? input.provider;
  const adapter = provider && psp.adapter(provider);
  const faults = [
    ...(provider ? [] : [{ path: 'provider', message: 'A new connection needs its provider.' }]),
    ...(provider && !adapter ? [{ path: 'provider', message: 'There is no such provider.' }] : []),
    ...(current || input.credentials ? [] : [{ path: 'credentials', message: "A new connection needs its provider's credentials." }]),
    ...(adapter && input.credentials ? faultsIn(input.credentials, adapter) : []),
  ];
  if (!adapter || faults.length > 0) throw invalidFields(faults);
  return adapter;
}

function faultsIn(credentials: Readonly<Record<string, unknown>>, adapter: PspAdapter) {
  const parsed = adapter.parseCredentials(credentials);
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => ({ path: path ? `credentials.${path}` : 'credentials', message }));
}
