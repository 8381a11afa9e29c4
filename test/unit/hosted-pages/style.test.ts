import { describe, expect, it } from 'vitest';
import { PALETTE, STYLE } from '#functions/hosted-pages/views/style.page.ts';

type Colour = keyof typeof PALETTE.light;

/** The contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Text colours, and the colours behind them. */
const TEXT: readonly (readonly [Colour, Colour])[] = [
  ['text', 'card'],
  ['text', 'ground'],
  ['muted', 'card'],
  ['accent', 'card'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-held'],
  ['text', 'tint'],
  ['accent', 'tint'],
  ['bad', 'card'],
  ['bad', 'bad-tint'],
  ['text', 'bad-tint'],
  ['good', 'good-tint'],
  ['note', 'note-tint'],
];

/** Edges of fields and focus rings, and the colours beside them. */
const EDGES: readonly (readonly [Colour, Colour])[] = [
  ['edge', 'card'],
  ['accent', 'card'],
  ['accent', 'ground'],
  ['bad', 'card'],
];

const SCHEMES = Object.entries(PALETTE);

describe.each(SCHEMES)('the %s palette', (_, palette) => {
  it.each(TEXT)('has enough contrast for %s text on %s', (colour, on) =>
    expect(contrast(palette[colour], palette[on])).toBeGreaterThanOrEqual(4.5),
  );

  it.each(EDGES)('has enough contrast for %s edges on %s', (colour, on) =>
    expect(contrast(palette[colour], palette[on])).toBeGreaterThanOrEqual(3),
  );
});

describe('the style', () => {
  const light = /:root\{color-scheme:light dark;([^}]*)\}/.exec(STYLE)?.[1] ?? '';
  const dark = /@media \(prefers-color-scheme:dark\)\{:root\{([^}]*)\}\}/.exec(STYLE)?.[1] ?? '';
  const read = (properties: string) =>
    Object.fromEntries(properties.split(';').map((each) => each.slice(2).split(':')));

  it('uses the colours of the palette only', () => {
    expect([read(light), read(dark)]).toEqual([PALETTE.light, PALETTE.dark]);
    expect(STYLE.replace(light, '').replace(dark, '')).not.toMatch(/#[0-9a-f]{3,8}\b|rgb|hsl|opacity/i);
    for (const [, name = ''] of STYLE.matchAll(/var\(--([\w-]+)\)/g))
      expect(Object.keys(PALETTE.light)).toContain(name);
  });

  it('has a contrast check for every pair of colours that a rule combines', () => {
    const pairs = [...STYLE.matchAll(/\{([^{}]*)\}/g)].flatMap(([, rule = '']) => {
      const on = /background:var\(--([\w-]+)\)/.exec(rule)?.[1];
      const colour = /(?:^|;)color:var\(--([\w-]+)\)/.exec(rule)?.[1];
      return on && colour ? [`${colour} on ${on}`] : [];
    });
    expect(pairs.length).toBeGreaterThan(6);
    expect(TEXT.map((pair) => pair.join(' on '))).toEqual(expect.arrayContaining(pairs));
  });

  it('computes contrast as WCAG does', () => {
    expect([contrast('#000000', '#ffffff'), contrast('#777777', '#ffffff')]).toEqual([21, expect.closeTo(4.48, 2)]);
  });

  it('scales with the text, and animates only if the visitor allows motion', () => {
    expect(STYLE).not.toMatch(/(?:font|font-size|height):[^;}]*\dpx/);
    expect(STYLE.match(/animation:/g)).toHaveLength(1);
    expect(STYLE).toMatch(/@media \(prefers-reduced-motion:no-preference\)\{[^}]*animation:/);
  });

  it('loads nothing and closes no element', () => expect(STYLE).not.toMatch(/url\(|@import|</));
});
