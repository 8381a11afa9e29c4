import { randomCredentials } from '#lib/local/demo.ts';
import { bodyOf, type Traits } from '#test/providers/journeys.ts';
import { type ApiResponse, aConnection, anOrganization, type Body, type TestHost } from '#test/support/host.ts';
import { type Action, act, drain, type Money, moneyOf, read } from '#test/support/payment-steps.ts';

/**
 * An organization with one connection, whose credentials the test knows: it can sign as the provider does, and ask it
 * as the merchant.
 */
export type OwnShop = {
  readonly org_id: string;
  readonly key: string;
  readonly connection_id: string;
  readonly credentials: Body;
  readonly pay: (word: string | null, more?: Body) => Promise<Body>;
  readonly act: (payment: Body, action: Action, body?: Body) => Promise<ApiResponse>;
  /** The payment when everything that was on its way has arrived. */
  readonly later: (payment: Body) => Promise<Body>;
  readonly money: (payment: Body) => Promise<Money>;
  /** What the customer or the bank does. */
  readonly complete: (reference: string, outcome: 'succeeded' | 'failed') => Promise<void>;
  readonly arrange: (behaviour: string, more?: Body) => Promise<ApiResponse>;
  /** The status that a callback with this text is answered with. */
  readonly tell: (text: string, headers?: Readonly<Record<string, string>>) => Promise<number>;
};

export async function openShop(host: TestHost, traits: Traits): Promise<OwnShop> {
  const { provider } = traits;
  const { org_id, key } = await anOrganization(host);
  const credentials = randomCredentials(provider, 'sandbox');
  const { id: connection_id } = await aConnection(host, { key }, { provider, credentials });
  return {
    org_id,
    key,
    connection_id,
    credentials,
    pay: async (word, more = {}) => (await host.call('POST', '/v1/payments', bodyOf(traits, word, more), { key })).body,
    act: ({ id }, action, body) => act(host, id, action, body, { key }),
    later: async ({ id }) => {
      await drain(host);
      return read(host, id, { key });
    },
    money: ({ id }) => moneyOf(host, id),
    complete: async (reference, outcome) => {
      await host.control('POST', '/psp/complete', { provider, reference, outcome });
      await drain(host);
    },
    arrange: (behaviour, more = {}) => host.control('POST', '/psp/scenario', { provider, behaviour, ...more }),
    tell: async (text, headers = {}) => {
      const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text };
      return (await fetch(`${host.info.function_url}/webhooks/${provider}`, sent)).status;
    },
  };
}

/** Presses one button of the provider's page, and tells where that leads. */
export async function press(url: string, button: string): Promise<string> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams({ do: button }), redirect: 'manual' });
  return new URL(reply.headers.get('location') ?? url, url).href;
}

/** The customer's browser arrives at our return page. */
export const arrive = async (url: string): Promise<number> => (await fetch(url, { redirect: 'manual' })).status;
