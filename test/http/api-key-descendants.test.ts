import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anOrganization, startHost, type TestHost, type TestOrganization } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

type Key = { readonly id: string; readonly key: string };
let org: TestOrganization;
let [root, child, grandchild, other]: Key[] = [];

const keyBy = async (key: string, name: string): Promise<Key> =>
  (await host.call('POST', '/v1/api-keys', { name, scopes: ['api_keys:read', 'api_keys:write'] }, { key })).body;
const revoke = (id: string, query = '', key = org.key) =>
  host.call('DELETE', `/v1/api-keys/${id}${query}`, undefined, { key });
const left = async () =>
  (await host.call('GET', '/v1/api-keys', undefined, { key: org.key })).body.api_keys.map(({ id }: Key) => id);
const works = async ({ key }: Key) => (await host.call('GET', '/v1/api-keys', undefined, { key })).status === 200;

/** Another key of the organization's first key, and a chain of three. */
beforeEach(async () => {
  org = await anOrganization(host);
  other = await keyBy(org.key, 'other');
  root = await keyBy(org.key, 'root');
  child = await keyBy(root.key, 'child');
  grandchild = await keyBy(child.key, 'grandchild');
});

describe('DELETE /v1/api-keys/{id}', () => {
  it('leaves the keys that the key created, without being asked', async () => {
    expect((await revoke(root!.id)).body).toEqual({ id: root!.id, deleted: true });
    expect([await works(root!), await works(child!), await works(grandchild!)]).toEqual([false, true, true]);
  });

  it('revokes them too with descendants=true, and those that they created, but no other key', async () => {
    const { status, body } = await revoke(root!.id, '?descendants=true');
    expect([status, body.id, body.deleted, body.revoked_descendants.toSorted()]).toEqual([
      200,
      root!.id,
      true,
      [child!.id, grandchild!.id].sort(),
    ]);
    expect([await works(child!), await works(grandchild!), await works(other!)]).toEqual([false, false, true]);
    expect(await left()).toContain(other!.id);
  });

  it('finds a descendant behind a key that was revoked before', async () => {
    await revoke(child!.id);
    expect((await revoke(root!.id, '?descendants=true')).body.revoked_descendants).toEqual([grandchild!.id]);
    expect(await works(grandchild!)).toBe(false);
  });

  it('revokes the descendants of a key that is revoked already, and then there is nothing more to revoke', async () => {
    await revoke(root!.id);
    const late = await revoke(root!.id, '?descendants=true');
    expect([late.status, late.body.revoked_descendants.length]).toEqual([200, 2]);
    expect((await revoke(root!.id, '?descendants=true')).status).toBe(404);
  });

  it('revokes nothing of another organization', async () => {
    const stranger = await anOrganization(host);
    expect((await revoke(root!.id, '?descendants=true', stranger.key)).status).toBe(404);
    expect([await works(root!), await works(child!)]).toEqual([true, true]);
  });

  it('refuses another value, and revokes nothing', async () => {
    const { status, body } = await revoke(root!.id, '?descendants=yes');
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(await works(root!)).toBe(true);
  });

  it('logs each revoked key', async () => {
    await revoke(root!.id, '?descendants=true');
    const { body } = await host.call('GET', '/v1/organization/audit?limit=3', undefined, { key: org.key });
    expect(body.map(({ action, target }: { action: string; target: Key }) => [action, target.id]).toSorted()).toEqual(
      [root!, child!, grandchild!].map(({ id }) => ['api_key_revoked', id]).sort(),
    );
  });
});
