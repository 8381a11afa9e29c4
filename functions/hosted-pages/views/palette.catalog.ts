/**
 * The colours of the page, light and dark. A test holds each pair that meets to its contrast: 4.5 for text, 3 for edges
 * and signs.
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
