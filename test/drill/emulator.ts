import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment, FOLDER, REGION, ROOT } from '#test/drill/drill.settings.ts';
import { start, stop } from '#test/drill/programs.ts';

export type Emulator = {
  readonly url: string;
  readonly port: number;
  readonly log: string;
  /** A request of an AWS service that speaks JSON. `target`: `Logs_20140328.DescribeLogGroups`. */
  readonly call: (service: string, target: string, body?: object) => Promise<Readonly<Record<string, unknown>>>;
  readonly mails: () => Promise<readonly unknown[]>;
  readonly stop: () => Promise<void>;
};

/** How long a start may take on a machine that is busy. */
const STARTS_WITHIN_S = 60;

type Options = { readonly port: number; readonly internet: number; readonly python: string; readonly node: string };

/** ministack with the policies of IAM and KMS enforced. The functions' own requests lead to the drill's internet. */
export async function startEmulator({ port, internet, python, node }: Options): Promise<Emulator> {
  const url = `http://127.0.0.1:${port}`;
  const log = `${FOLDER}/emulator.log`;
  const child = start(`${python}/python`, [`${ROOT}test/drill/emulator`], log, {
    path: node,
    env: {
      ...environment(url),
      AUTH: 'true',
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      MINISTACK_REGION: REGION,
      MINISTACK_HOST: 'localhost',
      PYTHONDONTWRITEBYTECODE: '1',
      NODE_OPTIONS: `--import file://${ROOT}test/drill/internet.ts?port=${internet} --disable-warning=ExperimentalWarning`,
    },
  });
  await untilReady(url, child, log);
  return {
    url,
    port,
    log,
    call: (service, target, body = {}) => call(url, service, target, body),
    mails: async () => {
      const { messages = {} } = (await (await fetch(`${url}/_ministack/ses/messages`)).json()) as { messages?: object };
      return Object.values(messages).flat();
    },
    stop: () => stop(child),
  };
}

async function untilReady(url: string, child: ChildProcess, log: string): Promise<void> {
  for (let tries = 0; tries < STARTS_WITHIN_S * 4; tries += 1) {
    if (child.exitCode !== null) break;
    const answer = await fetch(`${url}/_ministack/health`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(250);
  }
  await stop(child);
  throw new Error(`The emulator does not start; see ${log}.`);
}

async function call(url: string, service: string, target: string, body: object): Promise<Record<string, unknown>> {
  const credential = `Credential=test/20260101/${REGION}/${service}/aws4_request`;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': target,
      authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=none`,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${target}: ${response.status} ${text.slice(0, 300)}`);
  return text === '' ? {} : JSON.parse(text);
}
