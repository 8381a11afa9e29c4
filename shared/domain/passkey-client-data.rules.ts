import * as z from 'zod';

/** What the browser vouches for, and the device signs with it. In another site's frame nobody signs in here. */
const ClientData = z.object({ challenge: z.string(), origin: z.string(), crossOrigin: z.literal(false).optional() });

export type ClientData = z.infer<typeof ClientData>;

export function readClientData(base64url: string): ClientData | undefined {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(base64url, 'base64url').toString()));
  } catch {
    return undefined;
  }
}
