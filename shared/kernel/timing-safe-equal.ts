import { timingSafeEqual as equalBytes } from 'node:crypto';

/** Compares in constant time. The length is not protected: that of a digest is no secret. */
export function timingSafeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && equalBytes(left, right);
}
