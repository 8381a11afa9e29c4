import { renameSync, writeFileSync } from 'node:fs';
import type { Demo } from '#lib/local/demo.ts';

/** What `GET /info` answers, and `info.json` holds: all that a demo or a test needs to begin. */
export type HostInfo = { readonly api: string; readonly function_url: string; readonly simulators: string } & Demo;

/** It holds keys, so it is its owner's only; and it is whole or the former one at any moment. */
export function writeInfo(path: string, info: HostInfo): void {
  const draft = `${path}.draft`;
  writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
