import { describe, expect, it } from 'vitest';
import {
  CREDENTIAL_FIELDS,
  credentialsOf,
  FORMER,
  type Provider,
} from '#client/dashboard/screens/connections/credential-fields.ts';
import document from '#openapi.json' with { type: 'json' };
import { PROVIDERS } from '#shared/psp/providers.ts';

type Shape = {
  readonly properties: Readonly<Record<string, { readonly anyOf?: readonly object[] }>>;
  readonly required: readonly string[];
};
const SCHEMAS: Readonly<Record<string, unknown>> = document.components.schemas;
const shapeOf = (provider: Provider): Shape =>
  SCHEMAS[`${provider.charAt(0).toUpperCase()}${provider.slice(1)}Credentials`] as Shape;

it('there is a form for the credentials of every provider', () => {
  expect(Object.keys(CREDENTIAL_FIELDS).sort()).toEqual([...PROVIDERS].sort());
});

describe.each(Object.keys(CREDENTIAL_FIELDS) as Provider[])('the form for the credentials of %s', (provider) => {
  const fields = CREDENTIAL_FIELDS[provider];
  const { properties, required } = shapeOf(provider);

  it('has every field of the API document, and no other', () => {
    expect(fields.map(({ name }) => name).sort()).toEqual(Object.keys(properties).sort());
  });

  it('requires what the API requires', () => {
    expect(
      fields
        .filter(({ isOptional }) => !isOptional)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...required].sort());
  });

  it('takes two secrets exactly where one can replace the other', () => {
    const lists = Object.entries(properties).filter(([, { anyOf }]) => anyOf !== undefined);
    const rotating = fields.filter(({ rotates }) => rotates).map(({ name }) => name);
    expect(rotating.sort()).toEqual(lists.map(([name]) => name).sort());
  });

  it('hides what opens an account while it is typed', () => {
    const shown = fields.filter(({ isSecret }) => !isSecret).map(({ name }) => name);
    expect(shown.filter((name) => /(secret_key|client_secret|key_secret|api_key|encryption_key)$/.test(name))).toEqual(
      [],
    );
  });
});

describe('typed credentials', () => {
  const typed = { secret_key: ' sk_test_1 ', webhook_secret: 'whsec_2' };

  it('are sent without the blanks of pasting, and without fields that were left empty', () => {
    expect(credentialsOf('stripe', { ...typed, publishable_key: ' ' })).toEqual({
      secret_key: 'sk_test_1',
      webhook_secret: 'whsec_2',
    });
  });

  it('are sent with the secret that is being replaced, the new one first', () => {
    expect(credentialsOf('stripe', { ...typed, [`webhook_secret${FORMER}`]: 'whsec_1' })).toMatchObject({
      webhook_secret: ['whsec_2', 'whsec_1'],
    });
  });

  it('are not sent as long as one is missing', () => {
    expect(credentialsOf('stripe', { secret_key: 'sk_test_1' })).toBeUndefined();
  });
});
