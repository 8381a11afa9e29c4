/** CBOR: three bits for the type, the rest for the length or value. */
function head(kind: number, n: number): Buffer {
  if (n < 24) return Buffer.from([(kind << 5) | n]);
  if (n < 256) return Buffer.from([(kind << 5) | 24, n]);
  return Buffer.from([(kind << 5) | 25, n >> 8, n & 255]);
}

export const int = (n: number): Buffer => (n < 0 ? head(1, -1 - n) : head(0, n));
export const bytes = (data: Buffer): Buffer => Buffer.concat([head(2, data.length), data]);
export const text = (data: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(data)), Buffer.from(data)]);
export const array = (...items: readonly Buffer[]): Buffer => Buffer.concat([head(4, items.length), ...items]);
export const map = (...pairs: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, pairs.length), ...pairs.flat()]);
