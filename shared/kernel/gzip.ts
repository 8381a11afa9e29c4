import { gunzip, gzip } from 'node:zlib';

/** Compresses in another thread: on the main thread a large text would block the process. */
export const gzipped = (content: string | Uint8Array, level?: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    gzip(content, { ...(level !== undefined && { level }) }, (error, bytes) =>
      error ? reject(error) : resolve(bytes),
    );
  });

/**
 * What was compressed. Stops as soon as it is larger than `maxBytes`: a few bytes may stand for gigabytes. `broken`: the
 * bytes end too early, or are no gzip at all.
 */
export const unzipped = (compressed: Uint8Array, maxBytes: number): Promise<Buffer | 'too_large' | 'broken'> =>
  new Promise((resolve) => {
    gunzip(compressed, { maxOutputLength: maxBytes }, (error, bytes) => {
      if (!error) return resolve(bytes);
      resolve('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'broken');
    });
  });

type Weights = ReadonlyMap<string, number>;

/** RFC 9110: each coding with its weight, which is 1 unless it says otherwise, and 0 for one that must not be used. */
function weightsOf(acceptEncoding: string): Weights {
  const parts = acceptEncoding.toLowerCase().split(',');
  return new Map(
    parts.map((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return [coding, weight === undefined ? 1 : Number(weight) || 0];
    }),
  );
}

/** Whether gzip may be sent, and is not what the caller likes less than the plain content. */
export function acceptsGzip(acceptEncoding = ''): boolean {
  const weights = weightsOf(acceptEncoding);
  const gzipWeight = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzipWeight > 0 && gzipWeight >= (weights.get('identity') ?? 0);
}
