import { type Agent, request } from 'node:http';

/** A webhook as it goes out. */
export type Letter = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const ANSWER_WITHIN = 20_000;

/** Whether it was answered with a 2xx. */
export function post({ url, headers, body }: Letter, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const bytes = Buffer.from(body);
    const call = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': bytes.length } },
      (answer) => {
        const status = answer.statusCode ?? 0;
        answer.resume();
        answer.once('close', () => resolve(status >= 200 && status < 300));
      },
    );
    call.setTimeout(ANSWER_WITHIN, () => call.destroy());
    call.once('error', () => resolve(false));
    call.end(bytes);
  });
}
