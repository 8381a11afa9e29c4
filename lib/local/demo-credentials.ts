import type { Stage } from '#shared/domain/api-key.model.ts';
import type { Provider } from '#shared/domain/providers.catalog.ts';
import { randomText } from '#shared/kernel/ids.ts';

type MakeUp = (stage: Stage) => Readonly<Record<string, unknown>>;

/** Credentials as each provider's look; its simulator takes any. A new provider is a line here. */
const MAKE_UP: Readonly<Partial<Record<Provider, MakeUp>>> = {
  paystack: (stage) => ({ secret_key: `sk_${stage === 'live' ? 'live' : 'test'}_${randomText(40)}` }),
  stripe: (stage) => ({ secret_key: `sk_${stage === 'live' ? 'live' : 'test'}_${randomText(40)}`, webhook_secret: `whsec_${randomText(32)}` }),
  mollie: (stage) => ({ api_key: `${stage === 'live' ? 'live' : 'test'}_${randomText(30)}`, webhook_secret: randomText(32) }),
  adyen: (stage) => ({
    api_key: `AQE${randomText(60)}`,
    merchant_account: 'DemoShopECOM',
    webhook_secret: Buffer.from(randomText(32)).toString('hex'),
    ...(stage === 'live' && { live_endpoint_url_prefix: 'demo1234-demoshop' }),
  }),
  checkout: (stage) => ({
    secret_key: `sk_${stage === 'live' ? '' : 'sbox_'}${randomText(27)}`,
    processing_channel_id: `pc_${randomText(26)}`,
    host_prefix: 'demo1234',
    webhook_secret: randomText(36),
    default_country: 'GB',
  }),
  razorpay: (stage) => ({ key_id: `rzp_${stage === 'live' ? 'live' : 'test'}_${randomText(14)}`, key_secret: randomText(24), webhook_secret: randomText(32) }),
  flutterwave: (stage) => ({ secret_key: `FLWSECK${stage === 'live' ? '' : '_TEST'}-${randomText(32)}-X`, webhook_secret: randomText(32) }),
  paypal: () => ({ client_id: `A${randomText(79)}`, client_secret: `E${randomText(79)}`, webhook_secret: randomText(17).toUpperCase() }),
};

/** Made up at random each time; `undefined` for a provider that has no line yet. */
export const madeUpCredentials = (provider: Provider, stage: Stage): Readonly<Record<string, unknown>> | undefined => MAKE_UP[provider]?.(stage);
