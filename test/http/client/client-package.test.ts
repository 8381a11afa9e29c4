import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '#test/documents/document-blocks.ts';
import { startHost, type TestHost } from '#test/support/host.ts';

const PACKAGE = 'client/typescript';
const TSC = 'node_modules/.bin/tsc';

/** Not `execFileSync`: the host that is called runs in this process. */
const run = promisify(execFile);

/** A shop's own folder, with the package as npm would install it. */
let shop: string;
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
  shop = mkdtempSync(join(tmpdir(), 'payfork-shop-'));
  const installed = join(shop, 'node_modules/payfork');
  mkdirSync(installed, { recursive: true });
  cpSync(`${PACKAGE}/package.json`, join(installed, 'package.json'));
  await run(TSC, ['-p', PACKAGE, '--outDir', join(installed, 'dist')]);
  writeFileSync(join(shop, 'package.json'), '{"type":"module"}');
});
afterAll(async () => {
  rmSync(shop, { recursive: true, force: true });
  await host.close();
});

/** The first two lines of the README are those of every program; the blocks go on where the one before ended. */
const program = (): string =>
  blocksOf(`${PACKAGE}/README.md`)
    .map(({ text }) => text)
    .join('\n');

describe('the package as it is published', () => {
  it('runs what its README shows, in plain JavaScript, from the import to the payment', async () => {
    const code = program().replace('http://127.0.0.1:4000', host.info.api);
    writeFileSync(join(shop, 'order.js'), code);
    const env = { PAYFORK_KEY: host.info.keys.service };
    const { stdout: printed } = await run(process.execPath, ['order.js'], { cwd: shop, env });
    expect(printed).toMatch(/^pay_\w+ succeeded\n/);
    expect(printed).toContain('payment.succeeded\n');
  });

  it('has types for a strict TypeScript program that has only the standard library and the DOM', async () => {
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
    const options = [...strict, '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom', '--types', ''];
    const typed = program().replace('process.env.PAYFORK_KEY', "'a key'");
    writeFileSync(
      join(shop, 'order.ts'),
      `${typed}const id: string = payment.id;\n// @ts-expect-error: no such field\npayment.idd;\nconsole.log(id);\n`,
    );
    const checked = await run(join(process.cwd(), TSC), [...options, 'order.ts'], { cwd: shop }).catch(
      (error) => error,
    );
    expect(checked.stdout).toBe('');
  });

  it('has ten lines from nothing to the first payment', () => {
    const [first] = blocksOf(`${PACKAGE}/README.md`);
    expect(
      first?.text
        .trim()
        .split('\n')
        .filter((line) => line !== '').length,
    ).toBeLessThanOrEqual(10);
    expect(readFileSync(`${PACKAGE}/package.json`, 'utf8')).not.toContain('dependencies');
  });
});
