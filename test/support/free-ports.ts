import { type LocalServer, listen } from '#lib/local/http-server.ts';

/**
 * Below the ports that systems assign on their own (Linux from 32768, others from 49152): one of those may be taken a
 * moment later even if it is free now.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** Different processes start at different ports, so that parallel test files do not collide. */
let next = FIRST + ((process.pid * 16) % (LAST - FIRST));

/** The first of four consecutive free ports; no call returns the same twice. */
export async function fourFreePorts(): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    const port = next;
    next = next + 4 > LAST ? FIRST : next + 4;
    if (await areFree([0, 1, 2, 3].map((n) => port + n))) return port;
  }
  throw new Error('There are no four free ports in a row.');
}

async function areFree(ports: readonly number[]): Promise<boolean> {
  const held: LocalServer[] = [];
  try {
    for (const port of ports) held.push(await listen(port, 'the test'));
    return true;
  } catch {
    return false;
  } finally {
    await Promise.all(held.map((server) => server.close()));
  }
}
