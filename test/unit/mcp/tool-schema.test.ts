import { describe, expect, it } from 'vitest';
import { clientNameOf, sessionIdOf } from '#functions/mcp/client-name.ts';
import { shortWords, toolSchema } from '#functions/mcp/tool-schema.ts';

const long = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`field_${n}`, { type: 'string', minLength: 3 }]));
const components = {
  Money: { type: 'object', required: ['amount'], properties: { amount: { type: 'integer', example: 5 } } },
  Address: { type: 'object', description: 'Where it goes. And more.', properties: long },
  Tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } },
};

describe('the schema of a tool', () => {
  it('is whole, without references, examples and lengths', () => {
    const body = { type: 'object', properties: { money: { $ref: '#/components/schemas/Money' } } };
    expect(toolSchema(body, components)).toEqual({
      type: 'object',
      properties: { money: { type: 'object', required: ['amount'], properties: { amount: { type: 'integer' } } } },
    });
  });

  it('shows the names of the fields of a large object, and keeps its first sentence', () => {
    const body = { type: 'object', properties: { to: { $ref: '#/components/schemas/Address' } } };
    const { properties } = toolSchema(body, components) as { properties: { to: { description: string } } };
    expect(properties.to).toEqual({
      type: 'object',
      description: expect.stringMatching(/^Where it goes\. Fields: field_0, field_1, .*field_19\.$/),
    });
  });

  it('ends where a schema contains itself', () => {
    expect(JSON.stringify(toolSchema({ $ref: '#/components/schemas/Tree' }, components)).length).toBeLessThan(500);
  });

  it('leaves out long lists of values, and cuts long words', () => {
    const codes = Array.from({ length: 200 }, (_, n) => `c${n}`);
    expect(toolSchema({ type: 'string', enum: codes }, components)).toEqual({ type: 'string' });
    expect(toolSchema({ type: 'string', enum: ['a', 'b'] }, components)).toEqual({ type: 'string', enum: ['a', 'b'] });
    expect(shortWords('x'.repeat(300))).toHaveLength(100);
  });
});

describe("the name of an agent's program", () => {
  const message = (info: unknown) => ({ method: 'initialize', params: { clientInfo: info } });

  it.each([
    ['is its name and version', { name: 'helper', version: '2' }, 'helper 2 (MCP)'],
    ['cannot be that of this service', { name: 'system' }, 'system (MCP)'],
    [
      'has no control character and is not long',
      { name: `a\n\u0000b${'x'.repeat(300)}` },
      `a b${'x'.repeat(97)} (MCP)`,
    ],
    ['is none if it is no text', { name: 7, version: {} }, undefined],
  ] as const)('%s', (_, info, name) => expect(clientNameOf(message(info), undefined)).toBe(name));

  it('comes back as the id of the session, and any other id is none', () => {
    expect(clientNameOf({ method: 'tools/call' }, sessionIdOf('helper 2 (MCP)'))).toBe('helper 2 (MCP)');
    expect(clientNameOf({ method: 'tools/call' }, 'not base 64 !')).toBeUndefined();
    expect(clientNameOf(undefined, undefined)).toBeUndefined();
  });
});
