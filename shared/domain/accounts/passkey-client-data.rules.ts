import * as z from 'zod';

/** The data that the browser adds and the device signs along. Sign-in within another site's frame is refused. */
const ClientData = z.object({ challenge: z.string(), origin: z.string(), crossOrigin: z.literal(false).optional() });

type ClientData = z.infer<typeof ClientData>;

export function readClientData(base64url: string): ClientData | undefined {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(base64url, 'base64url').toString()));
  } catch {
    return undefined;
  }
}
