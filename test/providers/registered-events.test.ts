import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InboundCallback, type PspAdapter, PspRefused } from '#shared/ports/psp.port.ts';
import { loadAdapters } from '#shared/psp/providers.ts';
import { watchTraffic } from '#test/bench/traffic.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { pay } from '#test/support/payment-steps.ts';

type Choosing = Pick<PspAdapter, 'provider' | 'registeredEvents' | 'parseCallback'>;
const CHOOSING: readonly Choosing[] = (await loadAdapters()).filter(({ registeredEvents }) => registeredEvents);

const PROVIDERS_PAGE = readFileSync('docs/providers.md', 'utf8');

/** What each provider's page says about registering, between its heading and the next. */
const documented = (provider: string): string =>
  new RegExp(`^## ${provider}\\b.*?^- \\*\\*Events\\*\\*(.*?)^- \\*\\*`, 'ims').exec(PROVIDERS_PAGE)?.[1] ?? '';

/** An event of this type about nothing: what an adapter uses it refuses, what it does not use it ignores. */
const EMPTY_EVENTS: Readonly<Record<string, (type: string) => object>> = {
  stripe: (type) => ({ id: 'evt_1', type, data: {} }),
  checkout: (type) => ({ id: 'evt_1', type, data: {} }),
  paypal: (event_type) => ({ id: 'WH-1', event_type, resource_type: 'none', resource: 0 }),
  razorpay: (event) => ({ entity: 'event', event, payload: {} }),
  adyen: (eventCode) => ({
    live: 'false',
    notificationItems: [
      {
        NotificationRequestItem: {
          eventCode,
          success: 'true',
          pspReference: 'X1',
          originalReference: 'X0',
          merchantReference: 'att_1',
          merchantAccountCode: 'M',
          eventDate: '2026-01-01T00:00:00+01:00',
          amount: { currency: 'EUR', value: 100 },
          additionalData: {
            'metadata.payment_id': 'pay_1',
            'modification.action': 'refund',
            'recurring.recurringDetailReference': 'M5N7TQ4TG5PFWR50',
            'recurring.shopperReference': 'shopper_1',
          },
        },
      },
    ],
  }),
};

const uses = ({ provider, parseCallback }: Choosing, type: string): boolean => {
  const rawBody = Buffer.from(JSON.stringify(EMPTY_EVENTS[provider]?.(type)));
  try {
    return parseCallback({ rawBody, headers: {}, query: {} } as InboundCallback).every(
      ({ subject }) => subject.kind !== 'ignored',
    );
  } catch (error) {
    if (error instanceof PspRefused) return true;
    throw error;
  }
};

describe.each(CHOOSING.map((adapter) => [adapter.provider, adapter] as const))('%s', (provider, adapter) => {
  const { registeredEvents = [] } = adapter;

  it('uses every event that merchants are told to register', () => {
    expect(registeredEvents.filter((type) => !uses(adapter, type))).toEqual([]);
    expect(uses(adapter, 'something.else')).toBe(false);
  });

  it('has exactly these events in its documentation', () => {
    const text = documented(provider);
    const named = [...text.matchAll(/`([A-Za-z_.]+)`/g)].map(([, name]) => name);
    expect(registeredEvents.filter((type) => !named.includes(type))).toEqual([]);
    expect(new Set(registeredEvents).size).toBe(registeredEvents.length);
  });
});

describe('the simulators of a local host', () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host?.close());

  it('send only registered events, so that a successful payment at Stripe is one callback', async () => {
    const traffic = watchTraffic();
    const { status } = await pay(host);
    await host.drain();
    expect([status, traffic.end().callbacks.requests]).toEqual(['succeeded', 1]);
    expect(host.logged.filter(({ event }) => event === 'callback_refused')).toEqual([]);
  });
});
