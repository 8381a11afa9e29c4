import { createHash } from 'node:crypto';

/**
 * The colours of the pages, light and dark. A test holds each pair that meets to its contrast: 4.5 for text, 3 for
 * edges and icons.
 */
export const PALETTE = {
  light: {
    ground: '#f2f4f7',
    card: '#ffffff',
    text: '#17202c',
    muted: '#4c596a',
    line: '#dde2e9',
    edge: '#76828f',
    accent: '#0b57c4',
    'accent-held': '#08479f',
    'on-accent': '#ffffff',
    tint: '#eef4fd',
    good: '#14692f',
    'good-tint': '#e6f5ea',
    bad: '#b01c16',
    'bad-tint': '#fdecea',
    note: '#6a4300',
    'note-tint': '#fff2d9',
  },
  dark: {
    ground: '#0e131a',
    card: '#19212b',
    text: '#e9eef5',
    muted: '#aeb9c7',
    line: '#313c4a',
    edge: '#8492a3',
    accent: '#9cc2ff',
    'accent-held': '#bdd6ff',
    'on-accent': '#07264f',
    tint: '#1f2d40',
    good: '#8bdba2',
    'good-tint': '#143222',
    bad: '#ffb3ab',
    'bad-tint': '#431a17',
    note: '#ffd48a',
    'note-tint': '#3b2b0c',
  },
} as const;

const properties = (colours: Readonly<Record<string, string>>): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');

/** Line breaks are allowed after `{`, `}`, `;` and `,` only, as they are removed. */
const joinLines = (css: string): string => css.replaceAll(/\n\s*/g, '');

/**
 * One style for all hosted pages. Sizes grow with the text. Padding at the sides does not: it would leave too little
 * room on a phone. Every control is at least 44 pixels high.
 */
export const STYLE = joinLines(`
:root{color-scheme:light dark;${properties(PALETTE.light)}}
@media (prefers-color-scheme:dark){:root{${properties(PALETTE.dark)}}}
*,::before,::after{box-sizing:border-box}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{
  margin:0;min-height:100vh;min-height:100dvh;padding:16px;display:flex;flex-direction:column;align-items:center;
  background:var(--ground);color:var(--text);
  font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere
}
main{
  width:100%;max-width:28rem;margin:0 auto;padding:1.5rem 24px;
  border:1px solid var(--line);border-radius:1rem;background:var(--card)
}
h1,h2,p,dl,dd,ul,fieldset,form{margin:0;padding:0}
h1{font-size:1.375rem;line-height:1.3;font-weight:650}
h2{font-size:1rem;line-height:1.4;font-weight:650}
a{color:var(--accent);text-underline-offset:.2em}
svg{display:block;flex:none}
.stack>*+*{margin-top:1.25rem}
.stack>[hidden]+*{margin-top:0}
noscript>*{margin-top:1.25rem}
.muted{color:var(--muted)}
.small{font-size:.875rem}
.test-mode{
  display:inline-block;padding:.25rem .75rem;border:1px solid;border-radius:2rem;
  background:var(--note-tint);color:var(--note);font-size:.875rem
}
.amount-header{padding-bottom:1.25rem;border-bottom:1px solid var(--line)}
.amount-header>*+*{margin-top:.375rem}
.amount-header>.test-mode+*{margin-top:.875rem}
.amount-header .payee{font-size:1rem;font-weight:400;line-height:1.5;color:var(--muted)}
.amount-header bdi{color:var(--text);font-weight:650}
.amount{font-size:clamp(1.625rem,9vw,2.25rem);line-height:1.2;font-weight:700;letter-spacing:-.01em}
.amount span{font-size:1rem;font-weight:400;letter-spacing:0;color:var(--muted)}
.amount.long{font-size:clamp(1.25rem,6vw,1.75rem)}
.description{white-space:pre-line}
.logo{display:block;width:auto;max-width:60%;height:3rem;object-fit:contain;object-position:left}
.seller{padding-top:1rem;border-top:1px solid var(--line)}
.seller>*+*{margin-top:.25rem}
.seller a:not(.link){display:inline-block;padding:.375rem 0}
.status{display:flex;flex-wrap:wrap;gap:.875rem;align-items:flex-start}
.status>div{flex:1 1 11rem}
.status>div>*+*{margin-top:.375rem}
.icon{
  display:grid;place-items:center;width:2.5rem;height:2.5rem;flex:none;border-radius:50%;
  background:var(--tint);color:var(--accent)
}
.icon.good{background:var(--good-tint);color:var(--good)}
.icon.bad{background:var(--bad-tint);color:var(--bad)}
.icon.note{background:var(--note-tint);color:var(--note)}
.alert:not(:empty){
  padding:.875rem 16px;border:1px solid;border-left-width:.375rem;border-radius:.5rem;
  background:var(--tint);color:var(--accent)
}
.alert:empty{margin:0}
.alert>*+*{margin-top:.25rem}
.alert.good:not(:empty){background:var(--good-tint);color:var(--good)}
.alert.bad:not(:empty){background:var(--bad-tint);color:var(--bad)}
.alert :is(p,li){color:var(--text)}
.alert ul{list-style:none}
.alert li a{display:inline-block;padding:.625rem 0;color:inherit}
.field>*+*{margin-top:.375rem}
label,legend{font-weight:600;padding:0}
.hint{font-weight:400;color:var(--muted)}
.error{display:block;color:var(--bad);font-weight:600}
input:not([type=radio]),select{
  display:block;width:100%;min-height:3rem;padding:.625rem 14px;border:1px solid var(--edge);border-radius:.5rem;
  background:var(--card);color:var(--text);font:inherit
}
input.code{font-size:1.375rem;letter-spacing:.2em;font-variant-numeric:tabular-nums}
[aria-invalid=true]:is(input,select){border:2px solid var(--bad)}
fieldset{border:0;min-width:0}
.choice{
  display:flex;gap:12px;align-items:center;min-height:3rem;padding:.625rem 14px;border:1px solid var(--edge);
  font-weight:400;cursor:pointer
}
.choice:first-of-type{margin-top:.5rem;border-radius:.5rem .5rem 0 0}
.choice:last-of-type{border-radius:0 0 .5rem .5rem}
.choice+.choice{margin-top:-1px}
.choice:has(:checked){background:var(--tint);font-weight:600}
.choice input{width:1.25rem;height:1.25rem;margin:0;flex:none;accent-color:var(--accent)}
.button{
  display:flex;align-items:center;justify-content:center;gap:.5rem;width:100%;min-height:3rem;padding:.75rem 1rem;
  border:1px solid var(--accent);border-radius:.5rem;background:var(--accent);color:var(--on-accent);
  font:inherit;font-weight:650;text-align:center;text-decoration:none;cursor:pointer
}
.button:hover{background:var(--accent-held);border-color:var(--accent-held)}
.button.secondary{background:none;color:var(--accent);border-color:var(--edge)}
.button.secondary:hover{background:var(--tint)}
[aria-busy=true] .button{cursor:progress}
.divider{display:flex;gap:.75rem;align-items:center;color:var(--muted)}
.divider::before,.divider::after{content:"";flex:1;border-top:1px solid var(--line)}
.link{display:inline-block;padding:.75rem 0}
.links>*+*{margin-top:.5rem}
.facts>div{padding:.625rem 0;border-top:1px solid var(--line)}
.facts>div:last-child{border-bottom:1px solid var(--line)}
.facts:has(+.seller)>div:last-child{border-bottom:0}
.facts dt{color:var(--muted);font-size:.875rem}
.facts dd{font-weight:600;font-variant-numeric:tabular-nums}
.redirect-notice{display:flex;gap:.5rem;align-items:flex-start}
.redirect-notice svg{margin-top:.125rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.choice:has(:focus-visible){outline:3px solid var(--accent);outline-offset:2px;position:relative}
.choice :focus-visible{outline:0}
.alert:focus{outline:3px solid var(--bad);outline-offset:2px}
@media (min-width:40rem){body{padding:3.5rem 1.5rem}main{padding:2.25rem}}
@media (max-width:22rem){
  body{padding:0;background:var(--card)}
  main{border:0;border-radius:0;padding:1.25rem 20px}
}
@media (prefers-reduced-motion:no-preference){.turning{animation:turn 1.2s linear infinite}}
@keyframes turn{to{transform:rotate(1turn)}}
@media print{body{padding:0}.button,.links{display:none}}
`);

/** The Content-Security-Policy allows only this style sheet. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
