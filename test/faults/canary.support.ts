import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** All encodings in which a text may appear, alone or within a longer text. */
export function disguisesOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const encoded = [0, 1, 2].flatMap((shift) => [inBase64(bytes, shift, 'base64'), inBase64(bytes, shift, 'base64url')]);
  const url = encodeURIComponent(text);
  const digits = text.replace(/\D/g, '');
  return [
    ...new Set([
      text,
      ...encoded,
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      url,
      url.toLowerCase(),
      url.replaceAll('%20', '+'),
      new URLSearchParams({ _: text }).toString().slice(2),
      JSON.stringify(text).slice(1, -1),
      [...text].reverse().join(''),
      // A phone number is the same without spaces.
      ...(digits.length > 8 ? [digits] : []),
    ]),
  ];
}

/** The part of the encoding that does not depend on the text around it. */
function inBase64(bytes: Buffer, shift: number, encoding: 'base64' | 'base64url'): string {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString(encoding);
  return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

/** Where any of these secrets can be read; each occurrence as `<secret>: <place>`. */
export function leaksOf(
  secrets: Readonly<Record<string, string>>,
  places: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const disguises = disguisesOf(secret);
    return Object.entries(places).flatMap(([place, text]) =>
      disguises
        .filter((disguise) => text.includes(disguise))
        .map((found) => `${name} in ${place}: ${around(text, found)}`),
    );
  });
}

const around = (text: string, found: string): string => {
  const at = text.indexOf(found);
  return JSON.stringify(text.slice(Math.max(0, at - 40), at + found.length + 20));
};

/** All files of a folder, each byte as one character. */
export function filesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}
