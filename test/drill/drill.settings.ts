import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What the drill installs and writes lies here. `npm ci` removes it. */
export const FOLDER = `${ROOT}node_modules/.cache/drill`;
export const ACCOUNT = '000000000000';
export const REGION = 'eu-central-1';
/** Where live stands by. */
export const SECOND_REGION = 'eu-west-1';
/** The part of the environment that programs of the drill share. Nothing of it leads to a real account. */
export const environment = (emulator: string): Readonly<Record<string, string>> => ({
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: REGION,
  AWS_DEFAULT_REGION: REGION,
  AWS_ENDPOINT_URL: emulator,
  AWS_PAGER: '',
  CDK_DISABLE_CLI_TELEMETRY: 'true',
  // Otherwise a settings file of this machine could lead to a real account.
  AWS_CONFIG_FILE: `${FOLDER}/no-such-file`,
  AWS_SHARED_CREDENTIALS_FILE: `${FOLDER}/no-such-file`,
});
