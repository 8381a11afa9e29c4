import { randomText } from '#shared/kernel/ids.ts';

const POOL_SIZE = 8_192;

let pool = '';

/** Random letters and digits for ids. They are generated in bulk, because one charge needs a dozen ids. */
export function randomId(count: number): string {
  if (pool.length < count) pool = randomText(POOL_SIZE);
  const id = pool.slice(0, count);
  pool = pool.slice(count);
  return id;
}
