/** Names and values without anything that one server reads as the end of a line, and another one does not. */
const HEAD = /^HTTP\/1\.1 2\d\d(?: [^\r\n\0]*)?\r\n(?:[\w!#$%&'*+.^`|~-]+:[^\r\n\0]*\r\n)*\r\n/;
const FRAMING = /\r\n(transfer-encoding|upgrade|content-length):[ \t]*([^\r]*?)[ \t]*(?=\r\n)/gi;
const CHUNK_SIZE = /([\da-f]{1,6})\r\n/iy;

/**
 * Whether these bytes are one successful response and nothing else, which everybody on the way reads alike. Anything
 * else may contain the beginning of another response, which must not be taken for the response to the next request.
 */
export function isPlainResponse(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const head = HEAD.exec(text)?.[0];
  if (head === undefined) return false;
  const [framing, ...more] = head.matchAll(FRAMING);
  return more.length === 0 && text.length === endOf(text, head, framing?.[1], framing?.[2]);
}

/** Where the body ends; undefined if that is not clear. */
function endOf(text: string, head: string, framing = '', value = ''): number | undefined {
  switch (framing.toLowerCase()) {
    case '':
      // Only this status has no body.
      return head.startsWith('HTTP/1.1 204') ? head.length : undefined;
    case 'content-length':
      return /^\d{1,6}$/.test(value) ? head.length + Number(value) : undefined;
    case 'transfer-encoding':
      return value.toLowerCase() === 'chunked' ? endOfChunks(text, head.length) : undefined;
    default:
      return undefined;
  }
}

/** Without extensions and trailers. */
function endOfChunks(text: string, from: number): number | undefined {
  for (let at = from; ; ) {
    CHUNK_SIZE.lastIndex = at;
    const [line = '', size = ''] = CHUNK_SIZE.exec(text) ?? [];
    const end = at + line.length + Number.parseInt(size, 16);
    if (line === '' || !text.startsWith('\r\n', end)) return undefined;
    at = end + 2;
    if (/^0+$/.test(size)) return at;
  }
}
