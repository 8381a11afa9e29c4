import type { Connection, SaveConnection } from '#client/typescript/src/index.ts';

export type Provider = Connection['provider'];

export type CredentialField = {
  /** As the API names it. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** What is typed is not shown. */
  readonly isSecret?: true;
  readonly isOptional?: true;
  /** Two of them are valid while one replaces the other. */
  readonly rotates?: true;
};

const secret = (name: string, label: string, hint?: string): CredentialField => ({ name, label, hint, isSecret: true });
const plain = (name: string, label: string, hint?: string): CredentialField => ({ name, label, hint });
const optional = (field: CredentialField): CredentialField => ({ ...field, isOptional: true });
const rotating = (field: CredentialField): CredentialField => ({ ...field, rotates: true });

/** What each provider's account needs, in the order in which its own dashboard shows it. */
export const CREDENTIAL_FIELDS: Readonly<Record<Provider, readonly CredentialField[]>> = {
  stripe: [
    secret('secret_key', 'Secret or restricted key', 'sk_test_…, sk_live_…, rk_test_… or rk_live_…'),
    rotating(secret('webhook_secret', 'Webhook signing secret', 'whsec_…')),
    optional(plain('publishable_key', 'Publishable key', 'pk_test_… or pk_live_…')),
    optional(plain('account', 'Connected account', 'acct_…, where a platform’s key acts for it')),
  ],
  adyen: [
    secret('api_key', 'API key', 'Of a web service user'),
    plain('merchant_account', 'Merchant account'),
    rotating(secret('webhook_secret', 'HMAC key of the standard webhook', 'Hexadecimal')),
    optional(plain('live_endpoint_url_prefix', 'Prefix of the live endpoints', 'For live accounts only')),
    optional(plain('client_key', 'Client key', 'test_… or live_…')),
  ],
  checkout: [
    secret('secret_key', 'Secret key', 'sk_… or sk_sbox_…'),
    plain('processing_channel_id', 'Processing channel', 'pc_…'),
    plain('host_prefix', 'Prefix of the API address', 'The account’s own part of the host name'),
    rotating(secret('webhook_secret', 'Signature key of the webhook')),
    optional(plain('default_country', 'Country for hosted pages', 'Two capital letters, such as DE')),
    optional(plain('statement_city', 'City on statements')),
  ],
  flutterwave: [
    secret('secret_key', 'Secret key', 'FLWSECK-… or FLWSECK_TEST-…'),
    rotating(secret('webhook_secret', 'Secret hash')),
    optional(plain('public_key', 'Public key', 'FLWPUBK-… or FLWPUBK_TEST-…')),
    optional(secret('encryption_key', 'Encryption key', 'Not used here')),
  ],
  mollie: [
    secret('api_key', 'API key', 'Of one profile: test_… or live_…'),
    optional(rotating(secret('webhook_secret', 'Webhook signing secret', 'Of an endpoint for signed events'))),
  ],
  paypal: [
    plain('client_id', 'Client ID', 'Of a REST app'),
    secret('client_secret', 'Secret'),
    rotating(plain('webhook_secret', 'Webhook ID', 'Of the webhook of this app')),
    optional(plain('merchant_id', 'Merchant ID', '13 letters and digits')),
  ],
  paystack: [
    secret('secret_key', 'Secret key', 'sk_test_… or sk_live_…'),
    optional(plain('public_key', 'Public key', 'pk_test_… or pk_live_…')),
    optional(rotating(secret('webhook_secret', 'Former secret key', 'While events still come with its signature'))),
  ],
  razorpay: [
    plain('key_id', 'Key ID', 'rzp_test_… or rzp_live_…'),
    secret('key_secret', 'Key secret'),
    rotating(secret('webhook_secret', 'Webhook secret')),
    optional(plain('account_id', 'Account', 'acc_…')),
  ],
};

/** What is typed, by field; what it replaces stands under its name and `FORMER`. It is kept nowhere else. */
export type CredentialsDraft = Readonly<Record<string, string>>;
export const FORMER = ' (former)';

export type Credentials = NonNullable<SaveConnection['credentials']>;

/** The credentials to send, or undefined if one is missing. What each must look like, the API says. */
export function credentialsOf(provider: Provider, draft: CredentialsDraft): Credentials | undefined {
  const credentials: Record<string, string | string[]> = {};
  for (const { name, isOptional } of CREDENTIAL_FIELDS[provider]) {
    const [value, former] = [draft[name]?.trim(), draft[name + FORMER]?.trim()];
    if (value) credentials[name] = former ? [value, former] : value;
    else if (!isOptional) return undefined;
  }
  // Their names are those of the provider's own shape, which a test compares with the API document.
  return credentials as Credentials;
}

/** A provider with credentials of its own. */
export type ProviderAccount = Extract<SaveConnection, { readonly provider: Provider }>;

export function accountOf(provider: Provider, draft: CredentialsDraft): ProviderAccount | undefined {
  const credentials = credentialsOf(provider, draft);
  return credentials && ({ provider, credentials } as ProviderAccount);
}
