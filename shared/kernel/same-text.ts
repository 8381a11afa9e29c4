import { timingSafeEqual } from 'node:crypto';

/** Compares in constant time; the length of a digest is no secret. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
