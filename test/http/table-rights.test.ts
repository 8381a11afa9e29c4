import { expect, it } from 'vitest';
import type { ApiKey } from '#shared/domain/accounts/api-key.model.ts';
import { newId } from '#shared/kernel/ids.ts';
import { startHost } from '#test/support/host.ts';

const paymentId = newId('payment', new Date());
const DENIED = 'openapi may not get PAY#';

it('a function cannot do on this host what its role on AWS does not allow, and the test host reports it', async () => {
  const host = await startHost();
  const { deps, invocations, info, logged } = host;
  const read = () => deps.payments.get(info.org_id, paymentId);

  await expect(invocations.invoke('payments', 1_000, read)).resolves.toBeUndefined();
  await expect(invocations.invoke('openapi', 1_000, read)).rejects.toThrow(DENIED);
  expect(logged).toContainEqual({
    level: 'error',
    event: 'call_denied',
    fields: { denied: DENIED, rights: 'lib/aws/table-rights.ts' },
  });
  // Also where the caller handles the error.
  await expect(host.close()).rejects.toThrow(`Missing in lib/aws/table-rights.ts: ${DENIED}`);
});

it('a transaction is refused for one item that its function may not write', async () => {
  const host = await startHost();
  const at = new Date();
  const key: ApiKey = {
    id: newId('key', at),
    org_id: host.info.org_id,
    name: 'stolen',
    kind: 'service',
    scopes: [],
    created_at: at.toISOString(),
    created_by: null,
  };
  const create = () => host.deps.keys.create(key, 'a'.repeat(64));
  await expect(host.invocations.invoke('psp-webhooks', 1_000, create)).rejects.toThrow('psp-webhooks may not put KEY#');
  await expect(host.close()).rejects.toThrow('psp-webhooks may not');
});

it('what the host does by itself is not limited', async () => {
  const host = await startHost();
  expect(await host.deps.payments.get(host.info.org_id, paymentId)).toBeUndefined();
  await host.close();
});
