import { describe, expect, it } from 'vitest';
import { renderSignInPage, signInContent } from '#functions/hosted-pages/sign-in/sign-in.page.ts';
import { html } from '#shared/http/html.ts';

/** Control characters, separators and marks that reverse the direction of text. */
const UNFIT = /[\0\u202a-\u202e\u2066-\u2069]/;

describe('a value in markup', () => {
  it.each([
    ['text', '<b>"\'&', '&lt;b&gt;&quot;&#39;&amp;'],
    ['text with direction marks', 'a\u202eb\u2066c\0', 'abc'],
    ['a list', ['<', '\u202e', html`<br>`], '&lt;<br>'],
    ['markup', html`<i>${'<'}</i>`, '<i>&lt;</i>'],
    ['nothing', undefined, ''],
  ])('is escaped when it is %s', (_, value, shown) => expect(html`<p>${value}</p>`.toString()).toBe(`<p>${shown}</p>`));
});

it('the sign-in page removes characters that reverse the text direction', () => {
  const { body } = renderSignInPage(
    { ...signInContent('to \u202eevil\0'), title: 'Sign\u2066 in', next: 'https://shop.example/\u202e' },
    { headers: {} },
  );
  expect(body).not.toMatch(UNFIT);
  expect(body).toContain('>to evil<');
  expect(body).toContain('data-next="https://shop.example/"');
});
