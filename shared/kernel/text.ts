import { timingSafeEqual as equalBytes } from 'node:crypto';

/** Compares in constant time. The length is not protected: that of a digest is no secret. */
export function timingSafeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && equalBytes(left, right);
}

/** The first `max` UTF-16 units. Half of a surrogate pair at the end is dropped: providers and the store refuse it. */
export function truncate(text: string, max: number): string {
  const cut = text.slice(0, max);
  return cut.length < text.length && !cut.isWellFormed() ? cut.slice(0, -1) : cut;
}
