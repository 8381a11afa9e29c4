import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '#test/documents/document-blocks.ts';
import { nodesHere, packedShop, run, type Shop } from '#test/http/client/shop.support.ts';
import { startHost, type TestHost } from '#test/support/host.ts';

const PACKAGE = 'client/typescript';
const OLDEST = nodesHere()[0];

let shop: Shop & { readonly files: readonly string[]; readonly bytes: number };
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
  shop = await packedShop();
});
afterAll(async () => {
  shop?.remove();
  await host?.close();
});

/** The first two lines of the README are those of every program; the blocks go on where the one before ended. */
const program = (): string =>
  blocksOf(`${PACKAGE}/README.md`)
    .map(({ text }) => text)
    .join('\n');

const TYPED = `
import { type EventOf, PayforkError, type Payment, WebhookVerificationError } from 'payfork';
const id: string = payment.id;
// @ts-expect-error: no such field
payment.idd;
// @ts-expect-error: an amount is a number
payfork.payments.refund(id, { amount: '5' });
// @ts-expect-error: no such code
isPayforkError(new Error(), 'no_such_code');
const { data: typed, replayed: again }: { data: Payment; replayed: boolean } = await payfork.payments.get(id).withResponse();
const event = await webhooks.verify('{}', { 'webhook-id': ['a'] }, ['whsec_a', 'whsec_b']);
switch (event.type) {
  case 'payment.refunded': {
    const refunded: EventOf<'payment.refunded'> = event;
    const left: number = event.data.amount - refunded.data.amount_refunded;
    console.log(left, typed, again);
    break;
  }
  case 'dispute.created':
    console.log(event.data.respond_by);
    // @ts-expect-error: that is of payments
    event.data.amount_refunded;
    break;
  // @ts-expect-error: no such type
  case 'payment.imagined':
    break;
}
console.log(new PayforkError({ status: 0, code: 'timed_out', message: '' }).docUrl, WebhookVerificationError);
`;

describe('the package as npm packs and installs it', () => {
  it('holds its code with types, README and licence, and nothing else', () => {
    const others = shop.files.filter((name) => !/^dist\/[\w/.-]+\.(js|d\.ts)$/.test(name));
    process.stdout.write(`The package has ${shop.files.length} files, ${shop.bytes} bytes compressed.\n`);
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(readdirSync(join(shop.folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['payfork']);
  });

  it(`runs what its README shows on the oldest Node.js here, ${OLDEST?.version}`, async () => {
    const code = program().replace('http://127.0.0.1:4000', host.info.api);
    writeFileSync(join(shop.folder, 'order.js'), code);
    const env = { PAYFORK_KEY: host.info.keys.service };
    const { stdout: printed } = await run(OLDEST?.path ?? 'node', ['order.js'], { cwd: shop.folder, env });
    expect(printed).toMatch(/^pay_\w+ succeeded\n/);
    expect(printed).toContain('payment.succeeded\n');
    expect(printed).toMatch(/^refunded 200 req_\S+ false$/m);
  });

  it('has types for a strict TypeScript program that has only the standard library and the DOM', async () => {
    const typed = program()
      .replaceAll(/process\.env\.\w+/g, "'a text'")
      .replace('receive(request)', 'receive(request: Request)');
    writeFileSync(join(shop.folder, 'order.ts'), typed + TYPED);
    expect(await shop.typeErrors(['order.ts'], '--types', '')).toBe('');
    rmSync(join(shop.folder, 'order.ts'));
  });

  it('has ten lines from nothing to the first payment', () => {
    const [first] = blocksOf(`${PACKAGE}/README.md`);
    const lines = first?.text.split('\n').filter((line) => line.trim() !== '');
    expect(lines?.length).toBeLessThanOrEqual(10);
    expect(readFileSync(`${PACKAGE}/package.json`, 'utf8')).not.toContain('ependencies');
  });
});
