import type { SaveConnectionInput } from '#functions/connections/connections.schema.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';

/** The provider's adapter, once nothing is wrong with the input; all faults are reported at once. */
export function checkedAdapter(
  input: SaveConnectionInput,
  current: Connection | undefined,
  { psp, config }: Pick<Deps, 'psp' | 'config'>,
): PspAdapter {
  const provider = current?.provider ?? input.provider;
  const adapter = provider && psp.adapter(provider);
  const mode = current?.mode ?? input.mode ?? config.stage;
  const faults = [
    ...(provider ? [] : [{ path: 'provider', message: 'A new connection needs its provider.' }]),
    ...(provider && !adapter ? [{ path: 'provider', message: 'There is no such provider.' }] : []),
    ...(current || input.credentials
      ? []
      : [{ path: 'credentials', message: "A new connection needs its provider's credentials." }]),
    ...(adapter && input.credentials ? faultsIn(input.credentials, mode, adapter) : []),
  ];
  if (!adapter || faults.length > 0) throw invalidFields(faults);
  return adapter;
}

/**
 * Most keys show whether they are live. Some providers take test and live keys at one address, where the key alone
 * decides.
 */
function faultsIn(credentials: Readonly<Record<string, unknown>>, mode: Stage, adapter: PspAdapter) {
  const parsed = adapter.parseCredentials(credentials);
  if (!parsed.ok)
    return parsed.faults.map(({ path, message }) => ({ path: path ? `credentials.${path}` : 'credentials', message }));
  if (parsed.mode === undefined || parsed.mode === mode) return [];
  return [
    {
      path: 'credentials',
      message: `These are credentials of mode ${parsed.mode}, and the connection is of mode ${mode}.`,
    },
  ];
}
