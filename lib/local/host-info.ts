import { renameSync, writeFileSync } from 'node:fs';
import type { Demo } from '#lib/local/demo.ts';

/** The content of `GET /info` and `info.json`: all that a demo or test needs to start. */
export type HostInfo = { readonly api: string; readonly function_url: string; readonly simulators: string } & Demo;

/** It holds keys, so only its owner can read it; it is replaced atomically. */
export function writeInfo(path: string, info: HostInfo): void {
  const draft = `${path}.draft`;
  writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
