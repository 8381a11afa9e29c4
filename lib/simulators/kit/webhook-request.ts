import { type Agent, request } from 'node:http';

/** A webhook as it is sent. */
export type WebhookRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const RESPONSE_TIMEOUT_MS = 20_000;

/** Whether the receiver responded with a 2xx status. */
export function postWebhook({ url, headers, body }: WebhookRequest, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const bytes = Buffer.from(body);
    const call = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': bytes.length } },
      (response) => {
        const status = response.statusCode ?? 0;
        response.resume();
        response.once('close', () => resolve(status >= 200 && status < 300));
      },
    );
    call.setTimeout(RESPONSE_TIMEOUT_MS, () => call.destroy());
    call.once('error', () => resolve(false));
    call.end(bytes);
  });
}
