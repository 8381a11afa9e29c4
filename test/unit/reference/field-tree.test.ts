import { describe, expect, it } from 'vitest';
import type { ApiDescription, Schema } from '#lib/reference/api-description.ts';
import { replyTree, treeOf } from '#lib/reference/field-tree.ts';

const documentWith = (schemas: Readonly<Record<string, Schema>>): ApiDescription => ({
  info: { title: 'A document', version: '1' },
  paths: {},
  components: { schemas },
});
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

describe('a schema as a tree of fields', () => {
  it('says of each field its type, its limits, its values and whether it is required', () => {
    const { fields } = treeOf(documentWith({}), {
      type: 'object',
      required: ['amount'],
      properties: {
        amount: { type: 'integer', minimum: 1, maximum: 99, description: 'In minor units.' },
        kind: { type: 'string', enum: ['card', 'bank'], default: 'card' },
        note: { type: ['string', 'null'], maxLength: 20 },
      },
    });
    expect(fields).toMatchObject([
      { name: 'amount', type: 'integer', isRequired: true, limits: ['1 to 99'], description: 'In minor units.' },
      { name: 'kind', type: 'string', isRequired: false, values: ['card', 'bank'], limits: ['default `"card"`'] },
      { name: 'note', type: 'string or null', limits: ['at most 20 characters'] },
    ]);
  });

  it('follows references, lists, maps and what may be null', () => {
    const document = documentWith({ Refund: { type: 'object', properties: { id: { type: 'string' } } } });
    const { fields } = treeOf(document, {
      properties: {
        refunds: { type: 'array', items: ref('Refund') },
        last: { anyOf: [ref('Refund'), { type: 'null' }] },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    });
    expect(fields.map(({ type, fields: below }) => [type, below.map(({ name }) => name)])).toEqual([
      ['array of objects', ['id']],
      ['object or null', ['id']],
      ['object of named values', []],
    ]);
  });

  it('shows the forms of a value, named by what tells them apart', () => {
    const document = documentWith({
      Redirect: { type: 'object', properties: { type: { const: 'redirect' }, url: { type: 'string' } } },
      Await: { type: 'object', properties: { type: { const: 'await' } } },
    });
    const { variants } = treeOf(document, {
      oneOf: [ref('Redirect'), ref('Await')],
      discriminator: { propertyName: 'type' },
    });
    expect(variants.map(({ title, fields }) => [title, fields.map(({ name }) => name)])).toEqual([
      ['type: redirect', ['type', 'url']],
      ['type: await', ['type']],
    ]);
  });

  it('ends where a component holds itself', () => {
    const document = documentWith({
      Step: { type: 'object', properties: { id: { type: 'string' }, steps: { type: 'array', items: ref('Step') } } },
    });
    const { fields } = treeOf(document, ref('Step'));
    expect(fields.map(({ name, fields: below }) => [name, below.length])).toEqual([
      ['id', 0],
      ['steps', 0],
    ]);
  });

  it('links to an object that is described elsewhere, itself, in a list or where it may be null', () => {
    const document = documentWith({ Payment: { type: 'object', properties: { id: { type: 'string' } } } });
    const place = { name: 'Payment', address: '/docs/api/payments#object-Payment' };
    const objects = new Map([['Payment', place]]);
    expect(replyTree(document, ref('Payment'), objects)).toMatchObject({ fields: [], object: place });
    expect(replyTree(document, { type: 'array', items: ref('Payment') }, objects)).toMatchObject({ list: true });
    const { fields } = replyTree(
      document,
      {
        properties: {
          payments: { type: 'array', items: ref('Payment') },
          last: { anyOf: [ref('Payment'), { type: 'null' }] },
        },
      },
      objects,
    );
    expect(fields.map(({ object, fields: below }) => [object?.name, below.length])).toEqual([
      ['Payment', 0],
      ['Payment', 0],
    ]);
  });

  it('says that a field must not be sent', () => {
    const { fields } = treeOf(documentWith({}), { properties: { provider: { not: {} } } });
    expect(fields).toMatchObject([{ name: 'provider', type: 'not allowed' }]);
  });

  it('says which reference leads nowhere', () => {
    expect(() => treeOf(documentWith({}), ref('Gone'))).toThrow('The API document has no #/components/schemas/Gone.');
  });
});
