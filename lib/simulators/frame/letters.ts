import { randomText } from '#shared/kernel/ids.ts';

const POOL = 8_192;

let pool = '';

/** Random letters and digits for ids, fetched in bulk: one charge has a dozen of them. */
export function letters(count: number): string {
  if (pool.length < count) pool = randomText(POOL);
  const taken = pool.slice(0, count);
  pool = pool.slice(count);
  return taken;
}
