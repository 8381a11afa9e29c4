import { describe, expect, it } from 'vitest';
import { guardedServices } from '#lib/local/guarded-services.ts';
import { Secret } from '#shared/kernel/secret.ts';

const done = async () => undefined;
const CONTEXT = { orgId: 'org_1', purpose: 'credentials', id: 'conn_1' } as const;
const MAIL = { to: 'a@example.com', subject: 'Hello', text: 'Hello' };

/** What the function of this invocation may call, and what it was denied. */
function servicesOf(group: string | undefined) {
  const denied: unknown[] = [];
  const log = { error: (_: string, fields: object = {}) => void denied.push(fields) };
  const vault = { seal: async () => 'sealed', open: async () => new Secret('opened') };
  const services = { queue: { send: done }, bus: { publish: done }, mail: { send: done }, vault };
  return { ...guardedServices(services, { group: () => group, log }), denied };
}

describe('what functions call on a local host', () => {
  it.each<readonly [string, string, (services: ReturnType<typeof servicesOf>) => Promise<unknown>, string]>([
    ['a queue', 'payments', ({ queue }) => queue.send('renewals', []), 'send to renewals'],
    ['the bus', 'payments', ({ bus }) => bus.publish([]), 'publish events'],
    ['the mailer', 'payments', ({ mail }) => mail.send(MAIL), 'send mail'],
    ['a secret', 'api-keys', ({ vault }) => vault.open('x', CONTEXT), 'open secrets of the kind psp'],
    ['a new secret', 'disputes', ({ vault }) => vault.seal(new Secret('x'), CONTEXT), 'seal secrets of the kind psp'],
  ])('denies a function %s that its role on AWS does not allow, and logs it', (_, group, call, act) => {
    const services = servicesOf(group);
    expect(() => call(services)).toThrow(`${group} may not ${act}: lib/aws/function-table.ts lists its rights.`);
    expect(services.denied).toEqual([{ denied: `${group} may not ${act}`, rights: 'lib/aws/function-table.ts' }]);
  });

  it('lets a function do what its line allows, and the host all that it does itself', async () => {
    await servicesOf('subscriptions').queue.send('renewals', []);
    await servicesOf('relay').bus.publish([]);
    await servicesOf('auth').mail.send(MAIL);
    const { vault, queue, denied } = servicesOf('disputes');
    expect((await vault.open('x', CONTEXT)).reveal()).toBe('opened');
    expect(() => queue.send('timers', [])).toThrow('disputes may not send to timers');
    expect(denied).toHaveLength(1);
    await servicesOf(undefined).queue.send('timers', []);
  });
});
